/** From records to what callers are shown. Pure. */
import type { Outcome } from "../../machines/evidence.ts";
import { isFinal, isLive, type RequestSnapshot, stateOf } from "../../machines/snapshots.ts";
import type { JournalView, RequestLine, RequestView, SessionView } from "../contract/views.ts";
import type { Warning } from "../contract/warnings.ts";
import { costOf, decimal } from "../ledger/cost.ts";
import type { Prices } from "../ledger/prices.ts";
import type { JournalRow, Question, RequestRecord, SessionOverview } from "../store/store.ts";
import { failureView, nextStep } from "./next.ts";
import { type Page, pageOf } from "./paging.ts";
import { snapshotOf } from "./snapshot.ts";

export interface ViewOptions {
  outcome: Outcome | null;
  /** Where the page begins; null shows no text. */
  offset: number | null;
  pageChars: number;
  /** What tokens cost; null where the user gave no prices. */
  prices: Prices | null;
  now: number;
  recovering: boolean;
  endpointDiffers: boolean;
  joined?: boolean;
  replayed?: boolean;
  /** What is kept of the question, where the provider keeps no conversation; undefined where it does. */
  question?: Question | null;
}

export function requestView(record: RequestRecord, options: ViewOptions): RequestView {
  const snapshot = snapshotOf(record);
  const page =
    options.outcome && options.offset !== null
      ? pageOf(options.outcome.text, options.offset, options.pageChars)
      : null;
  const pruned = record.prunedAt !== null && options.offset !== null;
  const failure = failureView(snapshot);
  return {
    status: pruned ? "result_pruned" : record.state,
    request_id: record.id,
    session_id: record.sessionId,
    ...(page && textOf(page)),
    ...(options.outcome && page && answerOf(options.outcome)),
    ...(snapshot.context.reason !== null && { incomplete_reason: snapshot.context.reason }),
    ...(failure && { failure }),
    ...(options.joined && { joined: true }),
    ...(options.replayed && { replayed: true }),
    ...(options.recovering && { recovering: true }),
    ...questionOf(record, options.question),
    tool: record.tool,
    provider: record.provider,
    turn: record.turn,
    ...(record.responseId !== null && { response_id: record.responseId }),
    requested_model: record.settings.model,
    ...actualModel(snapshot, options.outcome),
    settings: record.settings,
    ...(record.usage && { usage: record.usage }),
    ...costView(record, snapshot, options),
    timings: timingsOf(record, options.now),
    ...(snapshot.context.attempts > 1 && { attempts: snapshot.context.attempts }),
    ...(snapshot.context.lostTo !== null && !isFinal(record.state) && { lost_to: snapshot.context.lostTo }),
    ...(snapshot.context.cancel !== null && { cancel_requested: true }),
    warnings: warningsOf(record, snapshot, options.outcome),
    next: nextStep({
      requestId: record.id,
      sessionId: record.sessionId,
      snapshot,
      pruned,
      recovering: options.recovering,
      endpointDiffers: options.endpointDiffers,
      isPersons: options.question?.prompt != null,
      ...(page?.nextOffset !== undefined && { nextOffset: page.nextOffset }),
    }),
  };
}

/** With the answer only: the tier that it was served under is part of it. */
function costView(record: RequestRecord, snapshot: RequestSnapshot, { outcome, prices }: ViewOptions) {
  if (prices === null || outcome === null) return {};
  const { model = record.settings.model } = actualModel(snapshot, outcome);
  const cost = costOf({ model, serviceTier: outcome.serviceTier, usage: record.usage }, prices);
  const { currency } = prices;
  return {
    cost:
      "known" in cost
        ? { currency, amount: decimal(cost.known) }
        : { currency, amount: "unknown", reason: cost.unknown },
  };
}

function questionOf({ state }: RequestRecord, question: Question | null | undefined) {
  if (question === undefined) return {};
  const asks = question?.prompt != null && !isFinal(state);
  return {
    ...(asks && { prompt: question?.prompt }),
    transcript: question === null ? ("not_kept" as const) : ("kept" as const),
  };
}

function textOf(page: Page) {
  return {
    text: page.text,
    offset: page.offset,
    total_chars: page.totalChars,
    ...(page.nextOffset !== undefined && { next_offset: page.nextOffset }),
  };
}

function answerOf(outcome: Outcome) {
  return {
    ...(outcome.refusal !== null && { refusal: outcome.refusal }),
    ...(outcome.citations.length > 0 && { citations: outcome.citations }),
    ...(outcome.text === "" && { output_kinds: outcome.kinds }),
    ...(outcome.serviceTier !== null && { service_tier: outcome.serviceTier }),
    ...(outcome.truncated && { truncated: true, full_chars: outcome.fullChars }),
  };
}

function actualModel(snapshot: RequestSnapshot, outcome: Outcome | null): { model?: string } {
  const model = outcome?.model ?? snapshot.context.upstream?.model ?? null;
  return model === null ? {} : { model };
}

function timingsOf(record: RequestRecord, now: number): RequestView["timings"] {
  return {
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    ...(record.finishedAt !== null && { finished_at: iso(record.finishedAt) }),
    elapsed_ms: Math.max(0, (record.finishedAt ?? now) - record.createdAt),
  };
}

function warningsOf(record: RequestRecord, snapshot: RequestSnapshot, outcome: Outcome | null): Warning[] {
  const { upstream, cancel, deadlineAt } = snapshot.context;
  const late = record.finishedAt !== null && record.finishedAt > deadlineAt && outcome !== null;
  return [
    ...(upstream?.storeIgnored && snapshot.context.retrievable ? (["store_ignored"] as const) : []),
    ...(upstream?.contextIgnored ? (["context_ignored"] as const) : []),
    ...(answeredByAnother(record, snapshot, outcome) ? (["model_differs"] as const) : []),
    ...(outcome?.truncated ? (["truncated"] as const) : []),
    ...(outcome?.promptTruncated ? (["prompt_truncated"] as const) : []),
    ...(cancel !== null && !isFinal(stateOf(snapshot)) ? (["cancel_requested"] as const) : []),
    ...(late ? (["late"] as const) : []),
  ];
}

/** A dated name of the model asked for, such as `-2026-11-30` or `-0613` after it, is that model. */
const datedSuffix = /^-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/;

function answeredByAnother(
  record: RequestRecord,
  snapshot: RequestSnapshot,
  outcome: Outcome | null,
): boolean {
  const asked = record.settings.model;
  const { model = asked } = actualModel(snapshot, outcome);
  return model !== asked && !(model.startsWith(asked) && datedSuffix.test(model.slice(asked.length)));
}

export function requestLine(record: RequestRecord): RequestLine {
  return {
    request_id: record.id,
    session_id: record.sessionId,
    status: record.state,
    tool: record.tool,
    turn: record.turn,
    requested_model: record.settings.model,
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    ...(record.finishedAt !== null && { finished_at: iso(record.finishedAt) }),
    delivered: record.deliveredAt !== null,
    ...(record.prunedAt !== null && { pruned: true }),
    ...(record.responseId !== null && { response_id: record.responseId }),
    ...(record.usage && { usage: record.usage }),
    ...lineNext(record),
  };
}

function lineNext(record: RequestRecord): { next?: string } {
  if (isLive(record.state) || record.state === "recovery_required") {
    return { next: `answers ${JSON.stringify({ action: "wait", request_id: record.id })}` };
  }
  if (record.state === "unknown_outcome") {
    // Giving it up is a person's decision, so the line leads to where both ways out are told.
    return { next: `request_status ${JSON.stringify({ action: "inspect", request_id: record.id })}` };
  }
  return record.deliveredAt === null && record.prunedAt === null
    ? { next: `answers ${JSON.stringify({ action: "read", request_id: record.id })}` }
    : {};
}

export function sessionView(session: SessionOverview): SessionView {
  return {
    session_id: session.id,
    ...(session.name !== null && { name: session.name }),
    provider: session.provider,
    defaults: session.defaults,
    has_instructions: session.instructions !== null,
    ...(session.lastResponseId !== null && { latest_response_id: session.lastResponseId }),
    ...(session.activeRequestId !== null && { active_request_id: session.activeRequestId }),
    counts: session.counts,
    created_at: iso(session.createdAt),
    updated_at: iso(session.updatedAt),
  };
}

export function journalView(row: JournalRow): JournalView {
  return {
    seq: row.seq,
    note: row.note,
    event: row.type,
    state: row.state,
    at: iso(row.at),
    process: row.process,
    payload: row.payload,
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
