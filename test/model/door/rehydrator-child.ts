/** A process that has nothing but what was stored: each step is decided on a snapshot read back from its JSON. */
import * as z from "zod";
import { decide } from "../../../machines/decide.ts";
import { requestEventSchema } from "../../../machines/events.ts";
import { persist, rehydrate } from "../../../machines/snapshots.ts";

const orderSchema = z.object({
  id: z.number(),
  machineVersion: z.number(),
  /** Each with the snapshot that was stored before it, as JSON. */
  steps: z.array(z.object({ stored: z.string(), event: requestEventSchema })),
});

process.on("message", (message) => {
  const { id, machineVersion, steps } = orderSchema.parse(message);
  const next = steps.map(({ stored, event }) =>
    JSON.stringify(persist(decide(rehydrate(machineVersion, JSON.parse(stored)), event).next)),
  );
  process.send?.({ id, next });
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
