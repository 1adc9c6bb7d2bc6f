/** The ways to start claimcheck, and what a host has to run for each. */

/** How it is started: through npx, as an installed command, by the paths of Node and script, as a container. */
export const launchForms = ["npx", "command", "path", "docker"] as const;
export type LaunchForm = (typeof launchForms)[number];

export interface Launch {
  command: string;
  args: string[];
}

export interface Installation {
  form: LaunchForm;
  windows: boolean;
  /** Absolute paths; a host's own PATH is rarely the shell's. */
  node: string;
  script: string;
  dataDirectory: string;
}

/** The image that `docker build -t claimcheck .` makes, and the volume its data is in. */
export const image = "claimcheck";
export const volume = "claimcheck";

/**
 * What to run.
 *
 * @param envFile a file of variables, for hosts that have none to hand on
 */
export function launch(installation: Installation, envFile?: string): Launch {
  const { form, windows, node, script } = installation;
  const serve = envFile === undefined ? [] : ["serve", "--env-file", envFile];
  switch (form) {
    case "path":
      // Without `--` Node would take `--env-file` for its own option, wherever it stands.
      return { command: node, args: envFile === undefined ? [script] : ["--", script, ...serve] };
    case "npx":
      return batch(windows, "npx", ["-y", "claimcheck", ...serve]);
    case "command":
      return batch(windows, "claimcheck", serve);
    case "docker":
      return { command: "docker", args: dockerArgs(envFile) };
  }
}

/**
 * On Windows `npx` and installed commands are batch files, which several hosts cannot spawn: ENOENT, or EINVAL since
 * Node refuses to without a shell (github/copilot-cli#3576, cline/cline#1948).
 */
function batch(windows: boolean, command: string, args: string[]): Launch {
  return windows ? { command: "cmd", args: ["/c", command, ...args] } : { command, args };
}

/** `--init` for somebody who passes signals on and buries the dead; `-e NAME` hands a variable on if there is one. */
function dockerArgs(envFile: string | undefined): string[] {
  const variables = envFile === undefined ? ["-e", apiKey, "-e", model] : ["--env-file", envFile];
  return ["run", "-i", "--rm", "--init", ...variables, "-v", `${volume}:/data`, image];
}

export const apiKey = "OPENAI_API_KEY";
export const model = "OPENAI_MODEL";

/** How this very program was started, by the path it was started from, symbolic links followed. */
export function launchFormOf(script: string): LaunchForm {
  const path = script.replaceAll("\\", "/");
  if (path.includes("/_npx/")) return "npx";
  return globalFolders.some((folder) => folder.test(path)) ? "command" : "path";
}

/** Where `npm install --global` puts packages: under a prefix on POSIX; on Windows beside the user's or Node's own. */
const globalFolders = [
  /\/lib\/node_modules\/claimcheck\//,
  /\/AppData\/Roaming\/npm\/node_modules\/claimcheck\//i,
  /\/nodejs\/node_modules\/claimcheck\//i,
];
