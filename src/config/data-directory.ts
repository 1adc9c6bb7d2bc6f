/** Where a platform keeps the data of its programs. */
import { posix, win32 } from "node:path";
import type { Environment } from "./reader.ts";

export interface Platform {
  /** `process.platform` */
  os: string;
  home: string;
}

/** The platform's directory for claimcheck; XDG's rule that relative values are ignored is kept. */
export function defaultDataDirectory(environment: Environment, { os, home }: Platform): string {
  if (os === "darwin") return posix.join(home, "Library", "Application Support", "claimcheck");
  if (os === "win32") return win32.join(localAppData(environment, home), "claimcheck");
  return posix.join(xdgDataHome(environment, home), "claimcheck");
}

function xdgDataHome(environment: Environment, home: string): string {
  const given = environment["XDG_DATA_HOME"] ?? "";
  return posix.isAbsolute(given) ? given : posix.join(home, ".local", "share");
}

function localAppData(environment: Environment, home: string): string {
  const given = environment["LOCALAPPDATA"] ?? "";
  return win32.isAbsolute(given) ? given : win32.join(home, "AppData", "Local");
}
