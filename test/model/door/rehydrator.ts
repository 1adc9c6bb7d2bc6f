/** Another process that is asked what follows from stored snapshots; one question a path. */
import { fork } from "node:child_process";
import { once } from "node:events";
import * as z from "zod";
import type { RequestEvent } from "../../../machines/events.ts";
import { machineVersion } from "../../../machines/snapshots.ts";

const replySchema = z.object({ id: z.number(), next: z.array(z.string()) });

export interface StoredStep {
  /** The snapshot before the step, as the JSON that was stored. */
  stored: string;
  event: RequestEvent;
}

export interface Rehydrator {
  /** The snapshot after each step, as JSON. */
  follow(steps: readonly StoredStep[]): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startRehydrator(): Promise<Rehydrator> {
  const child = fork(new URL("./rehydrator-child.ts", import.meta.url), { execArgv: ["--import", "tsx"] });
  const waiting = new Map<number, { settle(next: string[]): void; fail(error: Error): void }>();
  child.on("message", (message) => {
    const reply = replySchema.safeParse(message);
    if (reply.success) waiting.get(reply.data.id)?.settle(reply.data.next);
  });
  child.on("exit", () => {
    for (const { fail } of waiting.values()) fail(new Error("The other process ended."));
  });
  await once(child, "message");
  let asked = 0;
  return {
    async follow(steps) {
      const id = asked++;
      const next = await new Promise<string[]>((settle, fail) => {
        waiting.set(id, { settle, fail });
        child.send({ id, machineVersion, steps });
      });
      waiting.delete(id);
      return next;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
