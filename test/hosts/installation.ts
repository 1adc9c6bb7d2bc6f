/** Packs what was built, installs it as a user would, and has every test of this run use that. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { install, pack } from "./package.ts";

declare module "vitest" {
  interface ProvidedContext {
    tarball: string;
    /** The home directory of somebody who has nothing yet. */
    home: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-hosts-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const [home, app] = [join(folder, "home"), join(folder, "app")];
    for (const directory of [home, app]) mkdirSync(directory);
    const tarball = await pack(folder);
    project.provide("tarball", tarball);
    project.provide("home", home);
    process.env["INSTALLED_CLAIMCHECK"] = await install(tarball, app);
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
