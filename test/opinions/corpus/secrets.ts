/**
 * Secrets that must go, each amid text that must stay. All are drawn by a seed, and their prefixes are put together
 * here, so that nobody takes one for a key that was lost.
 */
import { alphabets, type Dice, dice } from "./chance.ts";

export interface Sample {
  name: string;
  text: string;
  /** Nothing of these may be left. */
  secrets: readonly string[];
  /** What is around it may go too. */
  takesMore?: true;
}

interface Make {
  name: string;
  secret(dice: Dice): string;
}

const { digits, hex, upper, mixed, base64, url } = alphabets;

/** Not even all signs of a class may be missing from what is drawn, as from no real key. */
const withAll = (made: string) => `${made.slice(0, -4)}aB3z`;

/** Keys that show what they are, with no word beside them. */
export const shaped: readonly Make[] = [
  { name: "an OpenAI key", secret: (d) => `s${"k-"}${withAll(d.signs(mixed, 48))}` },
  { name: "an OpenAI project key", secret: (d) => `s${"k-proj-"}${withAll(d.signs(url, 120))}` },
  { name: "an Anthropic key", secret: (d) => `s${"k-ant-api03-"}${withAll(d.signs(url, 91))}AA` },
  { name: "an OpenRouter key", secret: (d) => `s${"k-or-v1-"}${d.signs(hex, 60)}aB3z` },
  { name: "a Groq key", secret: (d) => `gs${"k_"}${withAll(d.signs(mixed, 52))}` },
  { name: "an AWS key id", secret: (d) => `AK${"IA"}${d.signs(upper, 16)}` },
  { name: "an AWS session's key id", secret: (d) => `AS${"IA"}${d.signs(upper, 16)}` },
  { name: "a GitHub token", secret: (d) => `gh${"p_"}${withAll(d.signs(mixed, 36))}` },
  { name: "a GitHub app's token", secret: (d) => `gh${"s_"}${withAll(d.signs(mixed, 36))}` },
  { name: "a fine-grained GitHub token", secret: (d) => `github${"_pat_"}${withAll(d.signs(mixed, 82))}` },
  { name: "a GitLab token", secret: (d) => `glp${"at-"}${withAll(d.signs(url, 20))}` },
  { name: "a Google key", secret: (d) => `AI${"za"}${withAll(d.signs(url, 35))}` },
  { name: "a Google OAuth token", secret: (d) => `ya${"29."}${withAll(d.signs(url, 80))}` },
  {
    name: "a Slack bot's token",
    secret: (d) => `xo${"xb-"}${d.signs(digits, 12)}-${withAll(d.signs(mixed, 24))}`,
  },
  { name: "a Stripe key", secret: (d) => `sk${"_live_"}${withAll(d.signs(mixed, 24))}` },
  { name: "a webhook's secret", secret: (d) => `wh${"sec_"}${withAll(d.signs(mixed, 32))}` },
  {
    name: "a SendGrid key",
    secret: (d) => `S${"G."}${withAll(d.signs(url, 22))}.${withAll(d.signs(url, 43))}`,
  },
  { name: "an npm token", secret: (d) => `np${"m_"}${withAll(d.signs(mixed, 36))}` },
  { name: "a PyPI token", secret: (d) => `py${"pi-AgEIcHlwaS5vcmc"}${withAll(d.signs(url, 120))}` },
  { name: "a Hugging Face token", secret: (d) => `h${"f_"}${d.signs(mixed.replace(/\d/g, ""), 34)}` },
  { name: "a DigitalOcean token", secret: (d) => `do${"p_v1_"}${d.signs(hex, 64)}` },
  { name: "a Vault token", secret: (d) => `hv${"s."}${withAll(d.signs(url, 95))}` },
  { name: "a Shopify token", secret: (d) => `shp${"at_"}${d.signs(hex, 32)}` },
  {
    name: "a Telegram bot's token",
    secret: (d) => `1${d.signs(digits, 9)}:A${"A"}${withAll(d.signs(url, 33))}`,
  },
  { name: "an age key", secret: (d) => `AGE-SECRET${"-KEY-1"}${d.signs(upper, 58)}` },
  { name: "a JSON Web Token", secret: jwt },
  {
    name: "an encrypted JSON Web Token",
    secret: (d) =>
      `${"ey"}JhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${d.signs(url, 16)}.${d.signs(url, 60)}.${d.signs(url, 22)}`,
  },
];

function jwt(d: Dice): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: d.signs(digits, 10) })}.${d.signs(url, 43)}`;
}

/** Where such a key may stand; what is around it stays. */
const places: readonly { name: string; around: (secret: string) => string }[] = [
  { name: "alone", around: (secret) => secret },
  { name: "in a sentence", around: (secret) => `I tried ${secret}, and it was refused.` },
  { name: "in JSON", around: (secret) => `{"note":"see \\"${secret}\\"","n":1}` },
  { name: "at the end of Japanese text", around: (secret) => `これを使ってください：${secret}` },
  {
    name: "in a diff",
    around: (secret) => `--- a/x\n+++ b/x\n-const k = '${secret}';\n+const k = read();\n`,
  },
  { name: "in a Markdown fence with CRLF", around: (secret) => `\`\`\`\r\n${secret}\r\n\`\`\`\r\n` },
];

function ofShapes(): Sample[] {
  return shaped.flatMap(({ name, secret }, index) =>
    places.map((place, nth) => {
      const made = secret(dice(1_000 + index * 31 + nth));
      return { name: `${name}, ${place.name}`, text: place.around(made), secrets: [made] };
    }),
  );
}

const d = dice(42);
const drawn = (length = 32) => withAll(d.signs(mixed, length));
/** As people make them up. */
const chosen = () => `Tr0ub4dor${d.signs(digits, 3)}!`;
const body = (lines: number) => Array.from({ length: lines }, () => d.signs(base64, 64));

function sample(name: string, write: (secret: string) => string, secret = drawn()): Sample {
  return { name, text: write(secret), secrets: [secret] };
}

/** What is secret only by where it stands. */
function ofPlaces(): Sample[] {
  return [
    sample("a variable of an .env file", (s) => `PORT=3000\nDB_PASSWORD=${s}\nDEBUG=1\n`, chosen()),
    sample("a variable whose value is a word", (s) => `DB_PASSWORD=${s}\n`, "letmein"),
    sample("a quoted variable", (s) => `export JWT_SECRET="${s}"\n`),
    sample("a variable with odd signs", (s) => `SECRET_KEY=${s}`, "a#b$c%d^e&f*(g)1"),
    sample("a variable in a Dockerfile", (s) => `FROM node\nENV API_TOKEN=${s}\n`),
    sample("a variable in a diff", (s) => `+API_KEY=${s}\n-API_KEY=\n`),
    sample("a member of JSON", (s) => `{"client_secret": "${s}", "scope": "read"}`),
    sample("a member of JSON in JSON", (s) => JSON.stringify(`{"apiKey":"${s}"}`)),
    sample("a chosen password in JSON", (s) => `{"user":"app","password":"${s}"}`, chosen()),
    sample("a key of YAML", (s) => `db:\n  user: app\n  password: ${s}\n`, "s3cr3t-Pa55!"),
    sample("a token of YAML", (s) => `users:\n- name: ci\n  user:\n    token: ${s}\n`),
    sample("an ini file", (s) => `[default]\naws_secret_access_key = ${s}\n`, `${d.signs(base64, 36)}aB3/`),
    awsPair(),
    sample("a constant in code", (s) => `const apiKey = "${s}";`),
    sample("a constant in Python", (s) => `SECRET_KEY = '${s}'\n`),
    sample("a named argument", (s) => `connect(host="db", password="${s}")`, chosen()),
    sample("a hexadecimal key", (s) => `encryption_key: "${s}"`, `${d.signs(hex, 60)}a1b2`),
    sample("a Postgres URL", (s) => `postgres://app:${s}@db.example:5432/x`, chosen()),
    sample("a Postgres URL with a plain password", (s) => `postgresql://app:${s}@localhost/x`, "hunter"),
    sample("a MongoDB URL", (s) => `mongodb+srv://app:${s}@cluster.example/?w=majority`, chosen()),
    sample("a Redis URL without a user", (s) => `redis://:${s}@cache:6379/0`, chosen()),
    sample("an AMQP URL", (s) => `amqps://app:${s}@mq.example/vhost`, chosen()),
    sample("a MySQL URL with an escaped password", (s) => `mysql://root:${s}@127.0.0.1/x`, "p%40ss%2Fw0rd"),
    sample("a URL with an unescaped @ in its password", (s) => `postgres://app:${s}@db/x`, "p@ss1"),
    sample("a JDBC URL", (s) => `jdbc:postgresql://app:${s}@db/x`, chosen()),
    sample(
      "a web address with a password",
      (s) => `GET https://admin:${s}@intra.example/status 200`,
      chosen(),
    ),
    sample("a git remote", (s) => `origin https://oauth2:${s}@gitlab.example/a/b.git (fetch)`),
    sample("a git remote whose user is a token", (s) => `https://${s}@github.com/a/b.git`),
    sample("a git remote of x-oauth-basic", (s) => `https://${s}:x-oauth-basic@github.com/a/b`),
    sample("a bearer header", (s) => `Authorization: Bearer ${s}\r\nAccept: */*\r\n`),
    sample("a short bearer header", (s) => `-H "Authorization: Bearer ${s}"`, "abc123xyz"),
    sample(
      "a basic header",
      (s) => `Authorization: Basic ${s}`,
      Buffer.from("app:hunter2").toString("base64"),
    ),
    sample("a header in code", (s) => `headers: { "Authorization": "Bearer ${s}" }`),
    sample("a bearer in a log", (s) => `12:01 upstream refused Bearer ${s} with 401`),
    sample("a key's header", (s) => `X-Api-Key: ${s}\n`),
    sample("a cookie", (s) => `Cookie: theme=dark; session_id=${s}; lang=en`, d.signs(hex, 32)),
    sample("a cookie that is set", (s) => `Set-Cookie: auth=${s}; Path=/; HttpOnly`),
    sample("a user of curl", (s) => `curl -s -u app:${s} https://api.example`, chosen()),
    sample("a flag", (s) => `mysql --user=root --password=${s} x`, chosen()),
    sample("a flag with a space", (s) => `cli login --token ${s} --quiet`),
    sample("a query", (s) => `https://api.example/v1?api_key=${s}&page=2`),
    sample("a signature in a query", (s) => `https://x.example/b?sv=2022&sig=${s}&se=2030`),
    sample("a connection string", (s) => `Server=db;User Id=app;Password=${s};Encrypt=true`, chosen()),
    sample(
      "a storage account",
      (s) => `AccountName=x;AccountKey=${s};EndpointSuffix=y`,
      `${d.signs(base64, 84)}B3==`,
    ),
    sample(".netrc", (s) => `machine api.example login app password ${s}\n`, chosen()),
    sample(".npmrc", (s) => `//npm.example/:_authToken=${s}\n`),
    sample(
      "a docker config",
      (s) => `{"auths":{"x.example":{"auth":"${s}"}}}`,
      Buffer.from("app:Tr0ub4dor12").toString("base64"),
    ),
    sample("a kubeconfig", (s) => `    client-key-data: ${s}\n`, `LS0t${d.signs(base64, 80)}a1B2`),
    {
      ...sample(
        "a Slack webhook",
        (s) => `https://hooks.slack.com/services/${s}`,
        `T${d.signs(upper, 8)}/B${d.signs(upper, 8)}/${drawn(24)}`,
      ),
      takesMore: true,
    },
    sample(
      "a long key of a kubeconfig",
      (s) => `    client-key-data: ${s}\nnext: 1\n`,
      `LS0t${d.signs(base64, 6_000)}a1B2`,
    ),
    sample(
      "a long member of JSON",
      (s) => `{"private_key_data":"${s}","n":1}`,
      `LS0t${d.signs(base64, 6_000)}a1B2`,
    ),
    sample("a long variable", (s) => `A=1\nSIGNING_KEY=${s}\nB=2\n`, `LS0t${d.signs(base64, 6_000)}a1B2`),
    ...ofBlocks(),
  ];
}

function awsPair(): Sample {
  const [id, key] = [`AK${"IA"}${d.signs(upper, 16)}`, `${d.signs(mixed, 36)}aB3/`];
  return {
    name: "an AWS id and the secret half beside it",
    text: `keys: ${id} ${key} (old)`,
    secrets: [id, key],
  };
}

function ofBlocks(): Sample[] {
  const block = (label: string, lines: readonly string[], join = "\n") =>
    [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join(join);
  const of = (name: string, write: (lines: readonly string[]) => string): Sample => {
    const lines = body(6);
    return { name, text: write(lines), secrets: lines };
  };
  return [
    of("a private key", (lines) => `before\n${block("PRIVATE KEY", lines)}\nafter`),
    of("an RSA key", (lines) => block("RSA PRIVATE KEY", lines)),
    of("an encrypted key with headers", (lines) =>
      block("RSA PRIVATE KEY", ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00FF", "", ...lines]),
    ),
    of("an OpenSSH key", (lines) => block("OPENSSH PRIVATE KEY", lines)),
    of("a key with CRLF", (lines) => block("EC PRIVATE KEY", lines, "\r\n")),
    of("a key in JSON", (lines) => `{"private_key":"${block("PRIVATE KEY", lines, "\\n")}\\n"}`),
    of("a key in JSON in JSON", (lines) => `"{\\"k\\":\\"${block("PRIVATE KEY", lines, "\\\\n")}\\"}"`),
    of("an indented key", (lines) => `key: |\n  ${block("PRIVATE KEY", lines, "\n  ")}\nnext: 1`),
    of("a key that a diff takes out", (lines) => `-${block("PRIVATE KEY", lines, "\n-")}`),
    of("a key in quotation", (lines) => `> ${block("PRIVATE KEY", lines, "\n> ")}`),
    of("a key put together in code", (lines) => `const k = "${block("PRIVATE KEY", lines, '\\n" +\n  "')}";`),
    of("a key that is cut off", (lines) => `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n`),
    of(
      "a key that another follows before it ends",
      (lines) => `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----BEGIN CERTIFICATE-----\n...`,
    ),
    of("a certificate", (lines) => block("CERTIFICATE", lines)),
    of("a PGP key", (lines) => block("PGP PRIVATE KEY BLOCK", ["", ...lines, "=aB3z"])),
    of(
      "a PuTTY key",
      (lines) =>
        `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: ${lines.length}\n${lines.join("\n")}\nPrivate-MAC: 00`,
    ),
    sample(
      "a line of authorized_keys",
      (s) => `ssh-ed25519 ${s} somebody@somewhere`,
      `AAAAC3NzaC1lZDI1NTE5AAAAI${d.signs(base64, 43)}`,
    ),
  ];
}

export const secretSamples: readonly Sample[] = [...ofShapes(), ...ofPlaces()];
