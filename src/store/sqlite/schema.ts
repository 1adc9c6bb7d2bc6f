/** The tables. Rows carry a tenant so that a later shared database needs no rewrite; here it is always `local`. */
import { type SQL, sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { usageSchema } from "../../../machines/evidence.ts";
import { finalStates, requestStates } from "../../../machines/states.ts";
import { effectiveSettingsSchema, settingsSchema } from "../../contract/settings.ts";
import { json } from "./json-column.ts";

const digestsSchema = z.record(z.string(), z.string());
const payloadSchema = z.record(z.string(), z.unknown());

/** Names for SQL text that must not become parameters: DDL has none. All come from our own tuples. */
const literals = (names: readonly string[]): SQL => sql.raw(names.map((name) => `'${name}'`).join(", "));

export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    tenant: text("tenant").notNull().default("local"),
    name: text("name"),
    /** The name without case, which SQLite itself can only take away from ASCII. */
    nameKey: text("name_key"),
    provider: text("provider").notNull(),
    defaults: json("defaults", settingsSchema).notNull(),
    lastResponseId: text("last_response_id"),
    lastResponseAt: integer("last_response_at"),
    version: integer("version").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    instructionsBytes: integer("instructions_bytes").notNull(),
    instructions: text("instructions"),
  },
  (t) => [
    uniqueIndex("sessions_name").on(t.nameKey, t.tenant).where(sql`${t.nameKey} is not null`),
    check("sessions_name_key", sql`(${t.name} is null) = (${t.nameKey} is null)`),
  ],
);

export const requests = sqliteTable(
  "requests",
  {
    id: text("id").primaryKey(),
    tenant: text("tenant").notNull().default("local"),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    turn: integer("turn").notNull(),
    tool: text("tool").notNull(),
    provider: text("provider").notNull(),
    endpoint: text("endpoint").notNull(),
    state: text("state", { enum: requestStates }).notNull(),
    machineVersion: integer("machine_version").notNull(),
    version: integer("version").notNull(),
    epoch: integer("epoch").notNull(),
    owner: text("owner"),
    leaseUntil: integer("lease_until"),
    responseId: text("response_id"),
    /** Room set aside for the answer; 0 once it is known whether there is one. */
    reservedBytes: integer("reserved_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    finishedAt: integer("finished_at"),
    deliveredAt: integer("delivered_at"),
    prunedAt: integer("pruned_at"),
    snapshot: json("snapshot", z.unknown()).notNull(),
    settings: json("settings", effectiveSettingsSchema).notNull(),
    wholeDigest: text("whole_digest").notNull(),
    fieldDigests: json("field_digests", digestsSchema).notNull(),
    usage: json("usage", usageSchema),
    /** As upstream named it; kept with the usage when the answer is pruned. */
    serviceTier: text("service_tier"),
    /** How often the answer was given again without a call. */
    replays: integer("replays").notNull().default(0),
  },
  (t) => [
    /** A session has at most one request that is live or unresolved; sweeps find them all here. */
    uniqueIndex("requests_unfinished").on(t.sessionId).where(sql`${t.finishedAt} is null`),
    uniqueIndex("requests_turn").on(t.sessionId, t.turn),
    /** One response belongs to one request. Another endpoint or key is another namespace of ids. */
    uniqueIndex("requests_response")
      .on(t.provider, t.endpoint, t.responseId)
      .where(sql`${t.responseId} is not null`),
    index("requests_equal").on(t.wholeDigest),
    index("requests_newest").on(t.createdAt, t.id),
    index("requests_undelivered")
      .on(t.createdAt, t.id)
      .where(sql`${t.finishedAt} is not null and ${t.deliveredAt} is null`),
    check("requests_state", sql`${t.state} in (${literals(requestStates)})`),
    check(
      "requests_finished",
      sql`(${t.finishedAt} is not null) = (${t.state} in (${literals(finalStates)}))`,
    ),
    check("requests_lease", sql`(${t.owner} is null) = (${t.leaseUntil} is null)`),
  ],
);

/** Answers stand apart so that pruning one leaves its request's row as it was. */
export const results = sqliteTable("results", {
  requestId: text("request_id")
    .primaryKey()
    .references(() => requests.id, { onDelete: "cascade" }),
  bytes: integer("bytes").notNull(),
  outcome: text("outcome").notNull(),
});

/** What was asked, where upstream remembers nothing; apart for the same reason, and pruned with the answer. */
export const questions = sqliteTable("questions", {
  requestId: text("request_id")
    .primaryKey()
    .references(() => requests.id, { onDelete: "cascade" }),
  bytes: integer("bytes").notNull(),
  message: text("message").notNull(),
  /** What a person copies; null where no person is asked. */
  prompt: text("prompt"),
});

/** Append-only. `note` is 0 for the event that made version `seq`. */
export const journal = sqliteTable(
  "journal",
  {
    requestId: text("request_id")
      .notNull()
      .references(() => requests.id, { onDelete: "cascade" }),
    seq: integer("seq").notNull(),
    note: integer("note").notNull(),
    eventId: text("event_id"),
    type: text("type").notNull(),
    state: text("state", { enum: requestStates }).notNull(),
    at: integer("at").notNull(),
    process: text("process").notNull(),
    payload: json("payload", payloadSchema).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.requestId, t.seq, t.note] }),
    uniqueIndex("journal_event").on(t.eventId),
    check("journal_state", sql`${t.state} in (${literals(requestStates)})`),
    check("journal_event_id", sql`(${t.note} = 0) = (${t.eventId} is not null)`),
  ],
);

/**
 * Kept in the transactions that change them, so that limits cost a claim one row instead of a count. No check
 * constraint: a slip in bookkeeping must not be able to refuse an answer that was paid for.
 */
export const totals = sqliteTable("totals", {
  tenant: text("tenant").primaryKey().default("local"),
  sessions: integer("sessions").notNull(),
  requests: integer("requests").notNull(),
  live: integer("live").notNull(),
  contentBytes: integer("content_bytes").notNull(),
});

/** Facts about the database itself: the digest key, and who is at retention until when. */
export const meta = sqliteTable("meta", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});
