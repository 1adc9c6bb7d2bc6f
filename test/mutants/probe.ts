/** Run as a forked test process is, with a mutant in its Node options: says what the door looks like from here. */
import { createDoor } from "../../src/engine/door.ts";

process.send?.(createDoor.toString());
process.disconnect?.();
