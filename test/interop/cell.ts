import type { ClientKind } from "./clients.ts";
import type { StepName } from "./steps.ts";

/** One client through one step, as a test that held it notes it down for whoever draws the table. */
export interface Cell {
  client: ClientKind;
  step: StepName;
  ms: number;
}

declare module "vitest" {
  interface TaskMeta {
    cell?: Cell;
  }
}
