/** The floor under every durable commit: overwriting 4 KiB and waiting until the disk has it. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const block = Buffer.alloc(4_096, 1);
const blocks = 64;

export function openDisk(directory: string): { sync3(): void; close(): void } {
  const file = openSync(join(directory, "floor"), "w");
  for (let i = 0; i < blocks; i += 1) writeSync(file, block, 0, block.length, i * block.length);
  fdatasyncSync(file);
  let at = 0;
  return {
    sync3() {
      for (let i = 0; i < 3; i += 1) {
        at = (at + 1) % blocks;
        writeSync(file, block, 0, block.length, at * block.length);
        fdatasyncSync(file);
      }
    },
    close: () => closeSync(file),
  };
}
