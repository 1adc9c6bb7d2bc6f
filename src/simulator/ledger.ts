import { BoundedMap } from "./bounded-map.ts";
import type { ResponseStatus } from "./model/api-types.ts";
import type { Book } from "./model/book.ts";
import type { Gate } from "./model/gate.ts";
import type { HeldResponse } from "./model/held-response.ts";

/** One HTTP request as it came in, and what became of it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Those that tell one client from another; never the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether an `Authorization: Bearer …` was there. */
  readonly authorized: boolean;
  /** Milliseconds since the epoch, at its arrival. */
  readonly at: number;
  /** The parsed body; absent while, or because, it was not read. */
  body?: unknown;
  /** The HTTP status answered; absent where there was no answer. */
  status?: number;
  /** Events written to its stream. */
  eventsSent: number;
  /** How it ended: answered in full, left by the client before that, or broken off by the simulator. */
  ended?: "answered" | "left" | "cut";
}

/** One generation, begun by one accepted POST. */
interface RecordedResponse {
  readonly id: string;
  /** `metadata.request_id` of the POST, or its `x-client-request-id`. */
  readonly requestId: string | null;
  readonly model: string;
  readonly status: ResponseStatus;
  readonly background: boolean;
  /** Whether a GET would find it now, read lag aside. */
  readonly retrievable: boolean;
  /** Whether tokens were spent. A lost or cancelled generation is billed, a failed or still queued one is not. */
  readonly billed: boolean;
  /** GETs about it that asked for JSON. */
  readonly polls: number;
}

/**
 * Everything the simulator saw.
 *
 * | count | what it counts |
 * |---|---|
 * | `attempts` | every `POST /v1/responses`, read or not |
 * | `posts` | those that began a generation: the body was read and not rejected. Counted *before* the answer, so a 5xx, a 408 or 409, a reset, a silence or a broken stream counts; a 4xx rejection (400, 401, 403, 404, 413, 429) and a connection reset before its body was read do not |
 * | `gets` | `GET /v1/responses/{id}`, for JSON or for a stream |
 * | `resumes` | those of them that asked for a stream |
 * | `cancels` | `POST /v1/responses/{id}/cancel` |
 * | `holding` | scenarios, and calls by hand, that wait for `release()` at this moment |
 * | `held` | the places where they wait |
 *
 * Counts are of all time (until `reset()`); requests are kept up to 10,000 and 64 MiB of bodies, responses up to 1,000.
 */
export interface Ledger {
  readonly attempts: number;
  readonly posts: number;
  readonly gets: number;
  readonly resumes: number;
  readonly cancels: number;
  readonly holding: number;
  readonly held: readonly string[];
  readonly requests: readonly RecordedRequest[];
  readonly responses: readonly RecordedResponse[];
  /** `posts` by their `metadata.request_id`, or else their `x-client-request-id`. */
  readonly postsByRequest: Readonly<Record<string, number>>;
  postsFor(requestId: string): number;
}

/** What another process gets to see of it. */
export type LedgerDocument = Omit<Ledger, "postsFor">;

type Counted = "attempts" | "posts" | "gets" | "resumes" | "cancels";

/** The ledger from its writers' side. */
export interface LedgerWriter {
  record(request: RecordedRequest): void;
  recordBody(request: RecordedRequest, body: unknown, bytes: number): void;
  count(what: Exclude<Counted, "posts">): void;
  countPost(requestId: string | null): void;
  clear(): void;
}

const REMEMBERED_REQUESTS = 10_000;
const REMEMBERED_BYTES = 64 * 1024 * 1024;
const REMEMBERED_IDS = 100_000;

/** The two sides of one ledger. What it shows are properties of its own, so that it prints and compares like data. */
export function createLedger(book: Book, gate: Gate): { ledger: Ledger; writer: LedgerWriter } {
  const counts: Record<Counted, number> = { attempts: 0, posts: 0, gets: 0, resumes: 0, cancels: 0 };
  const postsByRequest = new BoundedMap<string, number>(REMEMBERED_IDS);
  const requests = createRequestList();
  const postsFor = (requestId: string) => postsByRequest.get(requestId) ?? 0;

  const ledger: Ledger = {
    get attempts() {
      return counts.attempts;
    },
    get posts() {
      return counts.posts;
    },
    get gets() {
      return counts.gets;
    },
    get resumes() {
      return counts.resumes;
    },
    get cancels() {
      return counts.cancels;
    },
    get holding() {
      return gate.waiting.length;
    },
    get held() {
      return gate.waiting;
    },
    get requests() {
      return requests.all();
    },
    get responses() {
      return book.all().map(recordOf);
    },
    get postsByRequest() {
      return Object.fromEntries(postsByRequest.entries());
    },
    postsFor,
  };

  const writer: LedgerWriter = {
    record: requests.add,
    recordBody: requests.addBody,
    count(what) {
      counts[what] += 1;
    },
    countPost(requestId) {
      counts.posts += 1;
      if (requestId !== null) postsByRequest.set(requestId, postsFor(requestId) + 1);
    },
    clear() {
      Object.assign(counts, { attempts: 0, posts: 0, gets: 0, resumes: 0, cancels: 0 });
      postsByRequest.clear();
      requests.clear();
    },
  };

  return { ledger, writer };
}

function createRequestList() {
  let bytesHeld = 0;
  /** Each request and the size of its body. */
  const sizes = new BoundedMap<RecordedRequest, number>(REMEMBERED_REQUESTS, (bytes) => {
    bytesHeld -= bytes;
  });

  return {
    all: () => sizes.keys(),
    add: (request: RecordedRequest) => sizes.set(request, 0),
    addBody(request: RecordedRequest, body: unknown, bytes: number) {
      request.body = body;
      sizes.set(request, bytes);
      bytesHeld += bytes;
      while (bytesHeld > REMEMBERED_BYTES) sizes.forgetOldest();
    },
    clear() {
      sizes.clear();
      bytesHeld = 0;
    },
  };
}

function recordOf(response: HeldResponse): RecordedResponse {
  return {
    id: response.id,
    requestId: response.requestId,
    model: response.request.model,
    status: response.snapshot.status,
    background: response.request.background,
    retrievable: response.retrievable,
    billed: response.billed,
    polls: response.polls,
  };
}
