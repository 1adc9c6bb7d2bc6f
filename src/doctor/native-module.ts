/** Whether the compiled part of better-sqlite3 loads in this Node, the commonest thing to go wrong in an installation. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClaimcheckError } from "../contract/errors.ts";
import { assertSqliteVersion } from "../store/sqlite/sqlite-version.ts";
import { type Finding, fail, ok } from "./check.ts";

/** @param script the file that runs, by which the installation is found */
export async function checkNativeModule(script: string): Promise<Finding> {
  try {
    return ok(`better-sqlite3 loads, with SQLite ${await sqliteVersion()}.`);
  } catch (error) {
    if (error instanceof ClaimcheckError) return { verdict: "fail", says: error.message };
    return fail(reasonOf(error), remedy(script));
  }
}

/** @throws {ClaimcheckError} for one that is too old; whatever Node says where it does not load */
async function sqliteVersion(): Promise<string> {
  const [{ default: Client }, { drizzle }] = await Promise.all([
    import("better-sqlite3"),
    import("drizzle-orm/better-sqlite3"),
  ]);
  const client = new Client(":memory:");
  try {
    assertSqliteVersion({ client, db: drizzle(client) });
    return String(client.prepare("select sqlite_version()").pluck().get());
  } finally {
    client.close();
  }
}

function reasonOf(error: unknown): string {
  const { version, versions, platform, arch } = process;
  const message = error instanceof Error ? error.message : "";
  const here = `Node ${version} (ABI ${versions.modules}, ${platform}-${arch})`;
  // Node's own words: "… using NODE_MODULE_VERSION 108. This version of Node.js requires NODE_MODULE_VERSION 115."
  const builtFor = /NODE_MODULE_VERSION (\d+)/.exec(message)?.[1];
  if (builtFor !== undefined)
    return `better-sqlite3 does not load: it is compiled for ABI ${builtFor}, and this is ${here}.`;
  const why = /Cannot find (package|module)/.test(message)
    ? "it is not installed"
    : /bindings file/.test(message)
      ? "its compiled part is missing"
      : "its compiled part cannot be loaded";
  return `better-sqlite3 does not load in ${here}: ${why}.`;
}

/** npx keeps what it once installed, for whichever Node that was. */
function remedy(script: string): string {
  const npx = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]/.exec(script)?.[1];
  if (npx !== undefined)
    return `Remove ${npx} and start again: npx then installs anew, for the Node that runs it.`;
  return `Run "npm rebuild better-sqlite3" with this Node in ${installationOf(script)}.`;
}

/** The nearest directory up from the script in which npm put the module. */
function installationOf(script: string): string {
  const above = dirname(script);
  if (above === script) return "the directory where claimcheck is installed";
  return existsSync(join(above, "node_modules", "better-sqlite3")) ? above : installationOf(above);
}
