/** Credentials in URLs: `scheme://user:password@host`, and tokens in a user's place. */
import { isDrawn } from "./chance.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { Secret, SecretKind } from "./secret.ts";

/** A password may hold signs that belong escaped, even @; it ends at the last one before the host's path. */
const userInfo =
  /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,30}):\/\/([^\s/?#"'`<>@:]{0,512})(?::([^\s/?#"'`<>]{0,1024}))?@(?=[^\s@"'`<>])/gi;

const databases =
  /^(?:jdbc:)?(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|valkeys?|amqps?|mssql|sqlserver|oracle|clickhouse|cockroachdb|cassandra|neo4j(?:\+s)?|bolt(?:\+s)?|nats|ldaps?|influxdb|couchdb|snowflake|db2)/i;

export function* findInUrls(text: string): Iterable<Secret> {
  for (const match of text.matchAll(userInfo)) {
    const [, scheme = "", user = "", password] = match;
    const kind = kindOf(scheme, text, match.index + match[0].length);
    const userStart = match.index + scheme.length + 3;
    if (password !== undefined && password !== "x-oauth-basic") {
      const start = userStart + user.length + 1;
      if (!isPlaceholder(decoded(password))) yield { start, end: start + password.length, kind };
    }
    // Some hosts take a token in place of the user; a user's name is not drawn.
    if (isDrawn(user) || (password === "x-oauth-basic" && !isPlaceholder(user)))
      yield { start: userStart, end: userStart + user.length, kind };
  }
}

const gitHosts =
  /^(?:[\w.-]{0,60}\.)?(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure)\b|^\S{1,200}?\.git\b/i;

function kindOf(scheme: string, text: string, host: number): SecretKind {
  if (databases.test(scheme)) return "database_url";
  if (scheme.startsWith("git") || gitHosts.test(text.slice(host, host + 256))) return "git_credentials";
  return "url_credentials";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
