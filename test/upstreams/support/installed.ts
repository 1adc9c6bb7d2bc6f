import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The path of a file of one of this suite's tools, such as `.bin/steady`.
 *
 * @throws where it is not installed: a suite that cannot run must not look as if it had passed
 */
export function installed(file: string): string {
  const path = fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url));
  if (existsSync(path)) return path;
  throw new Error(`${file} is not installed. Run \`npm run test:upstreams\`, which installs it first.`);
}
