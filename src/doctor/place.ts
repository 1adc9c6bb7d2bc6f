/** What lies at a path: looked at, never opened. */
import { accessSync, constants, existsSync, lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../store/sqlite/storage-error.ts";

/** What is there, null where nothing is, or Node's name for why that cannot be said. */
export type Place = Stats | null | string;

export function placeOf(path: string): Place {
  return lookedAt(path, statSync);
}

export function isLink(path: string): boolean {
  const place = lookedAt(path, lstatSync);
  return place !== null && typeof place !== "string" && place.isSymbolicLink();
}

/** Below a file there is nothing: Node 20 says so with `throwIfNoEntry: false`, Node 22 throws `ENOTDIR` all the same. */
function lookedAt(path: string, look: (path: string) => Stats): Place {
  try {
    return look(path);
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? null : code;
  }
}

/** Node's name for what stands against reading and writing there; null where nothing does. */
export function obstacleTo(path: string, use: "file" | "directory"): string | null {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    accessSync(path, use === "file" ? R_OK | W_OK : R_OK | W_OK | X_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** Such an obstacle in words. */
export function whyNot(obstacle: string): string {
  return obstacle === "EROFS"
    ? "it is on a read-only disk"
    : `${obstacle}, as user ${process.getuid?.() ?? "?"}`;
}

/** The path itself, or the directory above it in which it would have to be made. */
export function nearestExisting(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : nearestExisting(above);
}
