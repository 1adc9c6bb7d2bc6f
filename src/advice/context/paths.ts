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
 * to the kind of slash, and to what systems do not see in a name. A file that is itself called `build` is no folder.
 */
export function ruleAgainst(path: string): string | null {
  const names = path.split(/[\\/]+/).map(plain);
  const folders = names.slice(0, -1);
  const folder = deniedFolders.find((denied) => folders.includes(denied));
  if (folder !== undefined) return `${folder}/`;
  return names.map((name) => deniedNames.find(({ matches }) => matches(name))?.rule).find(Boolean) ?? null;
}

/**
 * As a system may see it: some take letters of other forms for the same and overlook invisible ones (CVE-2014-9390),
 * and Windows overlooks dots and spaces at the end of a name, and names streams of a file behind a colon.
 */
const plain = (name: string) =>
  (
    name
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .toLowerCase()
      .split(":")
      .find(Boolean) ?? ""
  )
    .replace(/[.\s]+$/, "")
    .trim();
