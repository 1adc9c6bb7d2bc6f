import { withEnvFile } from "../config/env-file.ts";
import { type Config, readConfig } from "../config.ts";
import type { Given } from "./command.ts";
import type { World } from "./world.ts";

/** The settings of this run: the environment, and under it the file that `--env-file` names. */
export function loadConfig(given: Given, world: World, needs: { needsKey: boolean }): Config {
  return readConfig(withEnvFile(world.environment, given.text("env-file")), world.platform, needs);
}
