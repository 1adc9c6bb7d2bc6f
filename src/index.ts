/** The engine as a library. The MCP server and the command line are two users of exactly this. */
export { begin, type Decision, decide } from "../machines/decide.ts";
export type { Effect } from "../machines/effects.ts";
export type { RequestEvent } from "../machines/events.ts";
export type { Outcome } from "../machines/evidence.ts";
export { requestMachine } from "../machines/request.ts";
export { persist, type RequestSnapshot, rehydrate } from "../machines/snapshots.ts";
export { type RequestState, requestStates } from "../machines/states.ts";
export { ClaimcheckError, type ErrorCode, errorCodes } from "./contract/errors.ts";
export { type Policy, policyKnobs, policyOf } from "./contract/policy.ts";
export type { EffectiveSettings, Settings } from "./contract/settings.ts";
export type {
  HistoryView,
  InboxView,
  JournalView,
  RequestLine,
  RequestView,
  SessionsView,
  SessionView,
} from "./contract/views.ts";
export type { Clock } from "./engine/clock.ts";
export { createEngine, type EngineParts } from "./engine/create.ts";
export type { Ask, Composed, Engine, Progress, SessionChanges, Waiter } from "./engine/engine.ts";
export type { Log } from "./engine/log.ts";
export { createOpenAIProvider, type OpenAIProviderOptions } from "./providers/openai/openai.ts";
export type { Capabilities, PaidCall, Provider, StreamReport } from "./providers/provider.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store/sqlite/open.ts";
export type { Store } from "./store/store.ts";
