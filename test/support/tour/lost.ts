import { randomUUID } from "node:crypto";
import type { World } from "../world.ts";
import { about, error, type Guide, text } from "./guide.ts";

/** What lost contact with upstream: recoverable, and not. */
export async function lost(here: World, guide: Guide): Promise<void> {
  await unknowable(here, guide);
  await late(here, guide);
}

async function unknowable({ sim }: World, { fine, wrong }: Guide) {
  const id = randomUUID();
  const its = about(id, "unknown_outcome");
  sim.script({ times: 1, scenario: "reset_before_headers" });
  const { session_id } = await wrong("chat", { message: "Lost.", request_id: id }, its);
  await wrong("chat", { message: "Lost.", request_id: id }, its);
  await wrong("answers", { action: "wait", request_id: id }, its);
  await wrong("answers", { action: "read", request_id: id }, its);
  await fine("request_status", { request_id: id }, its);
  await fine("answers", { action: "inbox" }, { status: "ok", next: text, attention: [{ request_id: id }] });
  const inTheWay = error("session_unresolved", { session_id });
  await wrong("chat", { message: "More.", session_id }, inTheWay);
  await wrong("sessions", { operation: "configure", model: "m", session_id }, inTheWay);
  await wrong("sessions", { operation: "delete", session_id }, inTheWay);
  const notAllowed = error("not_allowed_in_state", { request_id: id });
  await wrong("request_status", { action: "recover", request_id: id }, notAllowed);
  await wrong("request_status", { action: "cancel", request_id: id }, notAllowed);

  const attach = { action: "attach", request_id: id };
  const answers = sim.ledger.responses.filter(({ retrievable }) => retrievable);
  const [anothers, own] = [answers[0]?.id, answers.at(-1)?.id];
  await wrong(
    "request_status",
    { ...attach, response_id: "resp_none" },
    error("response_not_found", { request_id: id }),
  );
  await wrong(
    "request_status",
    { ...attach, response_id: anothers },
    error("response_taken", { request_id: id }),
  );
  await fine(
    "request_status",
    { ...attach, response_id: own },
    about(id, "completed", { text: "You said: Lost." }),
  );
}

async function late({ sim }: World, { fine, wrong }: Guide) {
  const id = randomUUID();
  const its = about(id, "recovery_required", { recovering: true });
  sim.script({ times: 1, scenario: "hold_mid_text" });
  await fine("chat", { message: "Late.", request_id: id, timeout_ms: 1_000, wait_ms: 2_000 }, its);
  await fine("answers", { action: "wait", request_id: id, wait_ms: 0 }, its);
  await fine("answers", { action: "inbox" }, { status: "ok", next: text, attention: [{ request_id: id }] });
  await fine("request_status", { request_id: id }, its);
  await fine("request_status", { action: "recover", request_id: id, wait_ms: 0 }, its);
  await fine("request_status", { action: "abandon", request_id: id }, about(id, "abandoned"));
  await fine("request_status", { action: "abandon", request_id: id }, about(id, "abandoned"));
  await wrong("answers", { action: "wait", request_id: id }, about(id, "abandoned"));
  sim.release();
}
