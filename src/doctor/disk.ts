import { type Finding, fail, ok, skip, warn } from "./check.ts";
import { type Disk, diskOf } from "./file-system.ts";
import { nearestExisting } from "./place.ts";
import { elsewhere, sized } from "./words.ts";

/** @param room the limits of what may be stored in all and for one answer, in bytes */
export function checkDisk(directory: string, os: string, room: { content: number; answer: number }): Finding {
  try {
    return verdictOn(diskOf(nearestExisting(directory), os), room);
  } catch {
    return skip("What disk that is cannot be told.");
  }
}

function verdictOn(disk: Disk, room: { content: number; answer: number }): Finding {
  const free = `${sized(disk.freeBytes)} free`;
  if (disk.kind === "network")
    return fail(
      `On ${disk.name}, a network file system, where processes on several machines can damage the database; ${free}.`,
      "Set CLAIMCHECK_DATA_DIR to an absolute path on a local disk.",
    );
  if (disk.freeBytes < room.answer)
    return fail(`${free}, less than one answer may take (${sized(room.answer)}).`, "Free some space.");
  if (disk.freeBytes < room.content)
    return warn(
      `${free}, less than claimcheck may come to store (${sized(room.content)}).`,
      "Free some space.",
    );
  if (disk.kind === "memory")
    return warn(
      `On ${disk.name}: all that is stored is gone when this machine restarts; ${free}.`,
      `To keep it, ${elsewhere}.`,
    );
  if (disk.kind === "bridge")
    return warn(
      `On ${disk.name}, which may be a folder of another system or machine; ${free}.`,
      "If it is, set CLAIMCHECK_DATA_DIR to an absolute path on a local disk.",
    );
  return ok(
    disk.kind === "local"
      ? `Local (${disk.name}), ${free}.`
      : `${free}; whether it is local cannot be told here (${disk.name}).`,
  );
}
