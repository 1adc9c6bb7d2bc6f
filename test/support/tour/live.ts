import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { untilRow } from "../request-row.ts";
import { until, type World } from "../world.ts";
import { about, error, type Guide, text } from "./guide.ts";

/** What is under way: receipts, and everything it is in the way of. */
export async function live({ sim, dataDir }: World, { fine, wrong }: Guide): Promise<void> {
  const [claimed, streaming, third] = [randomUUID(), randomUUID(), randomUUID()];
  sim.script({ match: { message: "Hold on." }, scenario: "no_headers" });
  await fine("chat", { message: "Hold on.", request_id: claimed, wait_ms: 0 }, about(claimed, "claimed"));
  sim.script({ match: { message: "Hold me." }, scenario: "hold_mid_text" });
  const receipt = about(streaming, expect.stringMatching(/claimed|streaming/));
  const ask = { message: "Hold me.", request_id: streaming, wait_ms: 0 };
  const { session_id } = await fine("chat", ask, receipt);
  await until("both are held", () => sim.ledger.holding === 2);
  await untilRow(dataDir, streaming, "is streaming", ({ state }) => state === "streaming");

  const its = about(streaming, "streaming");
  await fine("chat", ask, its);
  await fine("answers", { action: "wait", request_id: streaming, wait_ms: 0 }, its);
  await fine("answers", { action: "read", request_id: streaming, wait_ms: 0 }, its);
  await fine("request_status", { request_id: streaming }, its);
  await fine("request_status", { action: "recover", request_id: streaming, wait_ms: 0 }, its);
  await wrong(
    "request_status",
    { action: "abandon", request_id: streaming },
    error("not_allowed_in_state", { request_id: streaming }),
  );
  await fine("answers", { action: "inbox" }, { status: "ok", next: text, running: [{}, {}] });
  await wrong(
    "chat",
    { message: "More.", session_id, request_id: third },
    error("session_busy", { request_id: third }),
  );
  await wrong(
    "chat",
    { message: "More.", request_id: third, wait_ms: 0 },
    error("too_many_live", { request_id: third }),
  );
  await fine(
    "sessions",
    { operation: "get", session_id },
    { status: "ok", active_request_id: streaming, next: text },
  );
  const busy = error("session_busy", { session_id });
  await wrong("sessions", { operation: "configure", model: "m", session_id }, busy);
  await wrong("sessions", { operation: "delete", session_id }, busy);

  const cancelled = about(streaming, "incomplete", { incomplete_reason: "cancelled" });
  await fine("request_status", { action: "cancel", request_id: streaming }, cancelled);
  await wrong("answers", { action: "wait", request_id: streaming }, cancelled);
  sim.release();
  await fine("answers", { action: "wait", request_id: claimed }, about(claimed, "completed", { text }));
}
