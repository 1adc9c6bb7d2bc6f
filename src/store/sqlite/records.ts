import { requests, sessions } from "./schema.ts";

/** The columns of a `RequestRecord`; digests and the reservation stay inside. */
export const recordColumns = {
  id: requests.id,
  sessionId: requests.sessionId,
  turn: requests.turn,
  tool: requests.tool,
  provider: requests.provider,
  endpoint: requests.endpoint,
  settings: requests.settings,
  state: requests.state,
  machineVersion: requests.machineVersion,
  snapshot: requests.snapshot,
  version: requests.version,
  epoch: requests.epoch,
  owner: requests.owner,
  leaseUntil: requests.leaseUntil,
  responseId: requests.responseId,
  usage: requests.usage,
  createdAt: requests.createdAt,
  updatedAt: requests.updatedAt,
  finishedAt: requests.finishedAt,
  deliveredAt: requests.deliveredAt,
  prunedAt: requests.prunedAt,
};

/** The columns of a `SessionRecord`. */
export const sessionColumns = {
  id: sessions.id,
  name: sessions.name,
  provider: sessions.provider,
  defaults: sessions.defaults,
  instructions: sessions.instructions,
  lastResponseId: sessions.lastResponseId,
  lastResponseAt: sessions.lastResponseAt,
  version: sessions.version,
  createdAt: sessions.createdAt,
  updatedAt: sessions.updatedAt,
};
