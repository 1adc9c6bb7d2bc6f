/**
 * Files that are never read or sent, by their path alone, whoever passes their content: where keys live, and what is
 * made by tools and says nothing (product of builds, dependencies, history).
 */

const deniedNames: readonly { rule: string; matches: (name: string) => boolean }[] = [
  { rule: ".env*", matches: (name) => name.startsWith(".env") },
  { rule: "*.pem", matches: (name) => name.endsWith(".pem") },
  { rule: "*.key", matches: (name) => name.endsWith(".key") },
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].map((key) => ({
    rule: key,
    matches: (name: string) => name === key,
  })),
];

const deniedFolders = [".ssh", "node_modules", "dist", "build", "coverage", ".git"];

/**
 * The rule that a path breaks, such as `.env*` or `node_modules/`; null where it breaks none. Without regard to case,
 * to the kind of slash, and to what Windows does not see: dots and spaces at the end of a name, and streams of a file.
 */
export function ruleAgainst(path: string): string | null {
  const names = path.split(/[\\/]+/).map(plain);
  const folder = deniedFolders.find((denied) => names.includes(denied));
  if (folder !== undefined) return `${folder}/`;
  return names.map((name) => deniedNames.find(({ matches }) => matches(name))?.rule).find(Boolean) ?? null;
}

const plain = (name: string) =>
  (name.toLowerCase().split(":").find(Boolean) ?? "").replace(/[. ]+$/, "").trim();
