/** A store in a process of its own: opens, does and closes what it is told over IPC. */
import * as z from "zod";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";

const orderSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("open"),
    id: z.number(),
    at: z.number(),
    file: z.string(),
    /** A moment of a write at which this process shall die. */
    dieAt: z.string().optional(),
    /** The migrations of another version than this one. */
    migrations: z.array(z.object({ tag: z.string(), statements: z.array(z.string()) })).optional(),
  }),
  z.object({
    kind: z.literal("call"),
    id: z.number(),
    at: z.number(),
    method: z.string(),
    args: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal("close"), id: z.number(), at: z.number() }),
]);
type Order = z.infer<typeof orderSchema>;

let store: Store | undefined;

process.on("message", (message) => void answer(orderSchema.parse(message)));
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });

async function answer(order: Order): Promise<void> {
  startAt(order.at);
  try {
    process.send?.({ id: order.id, value: await obey(order) });
  } catch (error) {
    process.send?.({ id: order.id, error: describe(error) });
  }
}

/** Spins until a moment that several processes were told, so that they start within microseconds. */
function startAt(at: number): void {
  while (Date.now() < at);
}

async function obey(order: Order): Promise<unknown> {
  switch (order.kind) {
    case "open":
      store = await openSqliteStore({
        file: order.file,
        faults: (point) => point === order.dieAt && die(),
        ...(order.migrations && { migrations: order.migrations }),
      });
      return Buffer.from(store.digestKey).toString("hex");
    case "close":
      return store?.close();
    case "call":
      return Reflect.apply(Reflect.get(store ?? {}, order.method), store, order.args);
  }
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function describe(error: unknown) {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return { code, message: error instanceof Error ? error.message : String(error) };
}
