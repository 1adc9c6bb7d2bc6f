/** What kind of file system a directory is on, where the system tells. */
import { statfsSync } from "node:fs";

const kinds = ["network", "bridge", "memory", "local"] as const;
type Kind = (typeof kinds)[number] | "untold";

/** `f_type` of statfs(2) on Linux; the numbers are in its manual page and in linux/magic.h. */
const known: Record<(typeof kinds)[number], ReadonlyMap<number, string>> = {
  network: new Map([
    [0x6969, "NFS"],
    [0x517b, "SMB"],
    [0xfe534d42, "SMB"],
    [0xff534d42, "CIFS"],
    [0x5346414f, "AFS"],
    [0x00c36400, "Ceph"],
    [0x0bd00bd0, "Lustre"],
    [0x47504653, "GPFS"],
    [0x19830326, "BeeGFS"],
  ]),
  // Folders of another system: WSL and virtual machines come by 9p, sshfs and Docker Desktop by FUSE.
  bridge: new Map([
    [0x01021997, "9p"],
    [0x65735546, "FUSE"],
    [0x786f4256, "VirtualBox"],
  ]),
  memory: new Map([
    [0x01021994, "tmpfs"],
    [0x858458f6, "ramfs"],
  ]),
  local: new Map([
    [0xef53, "ext4"],
    [0x58465342, "XFS"],
    [0x9123683e, "btrfs"],
    [0x2fc12fc1, "ZFS"],
    [0xf2f52010, "F2FS"],
    [0x794c7630, "overlay"],
  ]),
};

interface FileSystem {
  name: string;
  kind: Kind;
}

export interface Disk extends FileSystem {
  freeBytes: number;
}

/**
 * @param os `process.platform`; only Linux gives the numbers this knows
 * @throws {Error} Node's own, with `code`
 */
export function diskOf(path: string, os: string): Disk {
  const { type, bavail, bsize } = statfsSync(path);
  const here = os === "linux" ? fileSystemOf(type) : { name: os, kind: "untold" as const };
  return { ...here, freeBytes: bavail * bsize };
}

/** @param type as statfs gives it; 32-bit systems give it with its sign */
function fileSystemOf(type: number): FileSystem {
  const magic = type >>> 0;
  const kind = kinds.find((each) => known[each].has(magic));
  const name = kind && known[kind].get(magic);
  return kind === undefined || name === undefined
    ? { name: `type 0x${magic.toString(16)}`, kind: "untold" }
    : { name, kind };
}
