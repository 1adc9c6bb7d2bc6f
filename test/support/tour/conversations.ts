import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { error, type Guide, text } from "./guide.ts";

/** Sessions that are free, and ones that are not there. */
export async function conversations({ fine, wrong }: Guide): Promise<void> {
  const { session_id } = await fine("chat", { message: "Hello you." }, { status: "completed" });
  const { session_id: other } = await fine("chat", { message: "And you." }, { status: "completed" });
  const its = { status: "ok", session_id, next: text };
  await fine("sessions", { operation: "list" }, { status: "ok", sessions: expect.any(Array) });
  await fine("sessions", { operation: "list", limit: 1 }, { status: "ok", next_cursor: text });
  await fine("sessions", { operation: "get", session_id }, its);
  await fine("sessions", { operation: "configure", session_id, name: "Mine" }, { ...its, name: "Mine" });
  await wrong(
    "sessions",
    { operation: "configure", session_id: other, name: "mine" },
    error("session_name_taken"),
  );
  await wrong("sessions", { operation: "configure", session_id }, error("invalid_arguments", { session_id }));
  await fine("sessions", { operation: "delete", session_id: other }, { ...its, session_id: other });

  const nobody = { session_id: randomUUID() };
  await wrong("sessions", { operation: "get", ...nobody }, error("unknown_session", nobody));
  await wrong(
    "sessions",
    { operation: "configure", model: "m", ...nobody },
    error("unknown_session", nobody),
  );
  await wrong("sessions", { operation: "delete", ...nobody }, error("unknown_session", nobody));
  await wrong("answers", { action: "history", ...nobody }, error("unknown_session", nobody));
  await wrong("answers", { action: "inbox", ...nobody }, error("unknown_session", nobody));
  await wrong("answers", { action: "history", session_id, before: "x" }, error("invalid_arguments"));
}
