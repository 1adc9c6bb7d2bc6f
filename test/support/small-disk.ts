/** A server whose data directory is a disk of its own, small enough to be filled. */

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "./database.ts";
import { type Hosted, startHosted } from "./host-process.ts";
import { serverEnvironment, serverFile } from "./stdio.ts";
import { temporaryDirectory, type World } from "./world.ts";

/** A namespace of its own lets anybody mount, where the system allows namespaces at all. */
const inNamespace = ["unshare", "--user", "--map-root-user", "--mount"] as const;

export const canMount =
  process.platform === "linux" &&
  spawnSync(inNamespace[0], [...inNamespace.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

export interface SmallDisk {
  server: Hosted;
  /** A data directory with a copy of what is on the disk now: SQLite itself cannot look into another namespace. */
  copy(): string;
  /** Takes all the room there is left. */
  fill(): void;
  free(): void;
}

export function serverOnSmallDisk(here: World, bytes: number, env: Record<string, string> = {}): SmallDisk {
  const { dataDir: inside } = here;
  const script = 'mount -t tmpfs -o "size=$BYTES" tmpfs "$CLAIMCHECK_DATA_DIR" && exec "$0" "$@"';
  const server = startHosted({
    command: [...inNamespace, "sh", "-c", script, process.execPath, serverFile, "serve"],
    env: {
      ...serverEnvironment({ upstream: here.sim.url, dataDir: inside, env }),
      BYTES: String(bytes),
    },
  });
  const outside = join(`/proc/${server.child.pid}/root`, inside);
  const filler = join(outside, "filler");
  return {
    server,
    copy() {
      const directory = temporaryDirectory();
      for (const end of ["", "-wal"]) {
        const from = `${databaseFile(outside)}${end}`;
        if (existsSync(from)) copyFileSync(from, `${databaseFile(directory)}${end}`);
      }
      return directory;
    },
    fill() {
      for (let size = bytes; size >= 1; size = Math.floor(size / 2)) append(filler, size);
    },
    free: () => rmSync(filler),
  };
}

/** As much of it as there is room for. */
function append(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
