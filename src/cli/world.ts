/** What a command needs of the process it runs in. */
import type { Platform } from "../config/data-directory.ts";
import type { Environment } from "../config/reader.ts";

export interface World {
  environment: Environment;
  platform: Platform;
  /** Paths of the Node that runs this and of the file it runs. */
  program: { node: string; script: string };
  stdout: Output;
  stderr: Output;
  /** Whether a person sits at stdin. */
  atTerminal: boolean;
  /** All of stdin, as text. */
  readInput(): Promise<string>;
  now(): number;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}
