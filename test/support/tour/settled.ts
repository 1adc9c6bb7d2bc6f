import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { ScenarioName } from "../../../src/simulator/simulator.ts";
import { alter } from "../database.ts";
import type { Said } from "../said.ts";
import type { World } from "../world.ts";
import { about, error, type Guide, text } from "./guide.ts";

/** What has an end: each kind of answer, and everything one can do with it. */
export async function settled(here: World, guide: Guide): Promise<void> {
  await answered(guide);
  await ended(here, guide);
  await long(here, guide);
  await pruned(here, guide);
  await unknown(guide);
}

async function answered({ fine, wrong }: Guide) {
  const id = randomUUID();
  const ask = { message: "Hello.", request_id: id };
  const answer = about(id, "completed", { text: "You said: Hello." });
  const { session_id, response_id } = await fine("chat", ask, answer);
  await fine("chat", ask, answer);
  await wrong("chat", { ...ask, message: "Bye." }, error("request_conflict", { request_id: id }));
  await fine("answers", { action: "wait", request_id: id }, answer);
  await fine(
    "answers",
    { action: "read", request_id: id, offset: 9 },
    about(id, "completed", { text: " Hello." }),
  );
  await fine(
    "answers",
    { action: "inbox" },
    { status: "ok", next: text, unread: [], running: [], attention: [] },
  );
  await fine("answers", { action: "history", session_id }, { status: "ok", requests: [{ request_id: id }] });
  for (const action of ["inspect", "recover", "cancel"]) {
    await fine("request_status", { action, request_id: id }, about(id, "completed"));
  }
  const settledAlready = error("not_allowed_in_state", { request_id: id });
  await wrong("request_status", { action: "abandon", request_id: id }, settledAlready);
  await wrong("request_status", { action: "attach", request_id: id, response_id }, settledAlready);
}

/** Every other end, as each tool tells of it. */
async function ended({ sim }: World, { fine, wrong }: Guide) {
  const ends: [ScenarioName, string, Said][] = [
    ["refusal", "refused", { refusal: text }],
    ["incomplete", "incomplete", { text, incomplete_reason: "max_output_tokens" }],
    ["reasoning_only", "incomplete", { text: "", incomplete_reason: "max_output_tokens" }],
    [
      "unsupported_parameter",
      "failed",
      { failure: { code: "option_rejected", upstream_param: "temperature" } },
    ],
    ["wrong_key", "failed", { failure: { code: "authentication_failed", message: text } }],
    ["failed", "failed", { failure: { code: "upstream_failed", message: text } }],
  ];
  for (const [scenario, status, its] of ends) {
    const id = randomUUID();
    sim.script({ times: 1, scenario });
    await wrong("chat", { message: "Hm.", request_id: id }, about(id, status, its));
    await wrong("answers", { action: "wait", request_id: id }, about(id, status, its));
    await wrong("answers", { action: "read", request_id: id }, about(id, status, its));
    await fine("request_status", { request_id: id }, about(id, status));
  }
}

async function long({ sim }: World, { fine }: Guide) {
  const id = randomUUID();
  sim.script({ times: 1, scenario: "long_text" });
  const page = about(id, "completed", { text, total_chars: 60_000, next_offset: expect.any(Number) });
  const first = await fine("chat", { message: "Much.", request_id: id }, page);
  await fine("answers", { action: "read", request_id: id, offset: first["next_offset"] }, page);
  await fine(
    "answers",
    { action: "read", request_id: id, offset: 70_000 },
    about(id, "completed", { text: "" }),
  );
}

async function pruned({ dataDir }: World, { fine, wrong }: Guide) {
  const id = randomUUID();
  await fine("chat", { message: "Gone.", request_id: id }, about(id, "completed"));
  alter(dataDir, "delete from results where request_id = ?", id);
  alter(dataDir, "update requests set pruned_at = finished_at where id = ?", id);
  const gone = about(id, "result_pruned");
  await wrong("chat", { message: "Gone.", request_id: id }, gone);
  await wrong("answers", { action: "wait", request_id: id }, gone);
  await wrong("answers", { action: "read", request_id: id }, gone);
}

/** A request there is not, and calls that never become one. */
async function unknown({ wrong }: Guide) {
  const id = randomUUID();
  const its = { request_id: id };
  for (const action of ["inspect", "recover", "cancel", "abandon"]) {
    await wrong("request_status", { action, ...its }, error("unknown_request", its));
  }
  await wrong(
    "request_status",
    { action: "attach", response_id: "resp_1", ...its },
    error("unknown_request", its),
  );
  await wrong("answers", { action: "wait", ...its }, error("unknown_request", its));
  await wrong("answers", { action: "read", ...its }, error("unknown_request", its));
  const ask = { message: "Hi.", ...its };
  await wrong("chat", { ...ask, message: "x".repeat(5_000) }, error("input_too_large", its));
  await wrong("chat", { ...ask, max_output_tokens: 40_000 }, error("limit_out_of_range", its));
  await wrong("chat", { ...ask, timeout_ms: 700_000 }, error("limit_out_of_range", its));
  await wrong("chat", { ...ask, modle: "x" }, error("invalid_arguments", its));
  await wrong("chat", { ...ask, provider: "nobody" }, error("provider_unknown", its));
  await wrong("chat", { ...ask, session_id: id }, error("unknown_session", its));
}
