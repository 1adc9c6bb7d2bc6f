/** An engine that says what it is told to say and remembers what it was asked. */
import type { Engine } from "../../../src/engine/engine.ts";
import { aRequest, aSession, aSum, sessionId } from "./views.ts";

export interface FakeEngine extends Engine {
  readonly asked: { method: string; args: unknown[] }[];
  /** The arguments of the one call so far; fails when there was another number of them. */
  theOnlyCall(): { method: string; args: unknown[] };
}

export function fakeEngine(scripted: Partial<Engine> = {}): FakeEngine {
  const asked: FakeEngine["asked"] = [];
  const answers: Engine = {
    ask: async () => aRequest({ text: "forty-two" }),
    wait: async (id) => aRequest({ request_id: id, text: "forty-two" }),
    read: async (id, offset) => aRequest({ request_id: id, text: "two", offset, total_chars: 9 }),
    inspect: async (id) => aRequest({ request_id: id }),
    recover: async (id) => aRequest({ request_id: id, text: "forty-two" }),
    cancel: async (id) => aRequest({ request_id: id, status: "incomplete", incomplete_reason: "cancelled" }),
    abandon: async (id) => aRequest({ request_id: id, status: "abandoned" }),
    attach: async (id) => aRequest({ request_id: id, text: "forty-two" }),
    answer: async (id, text) => aRequest({ request_id: id, status: "completed", text }),
    inbox: async () => ({ unread: [], running: [], attention: [], next: "Nothing is waiting for you." }),
    history: async () => ({ session_id: sessionId, requests: [] }),
    requests: async () => ({ requests: [] }),
    journal: async () => [],
    usage: async ({ by }) => ({ by, groups: [], total: aSum() }),
    sessions: async () => ({ sessions: [aSession()] }),
    session: async () => aSession(),
    configureSession: async () => aSession(),
    deleteSession: async () => aSession(),
    seal: (words) => words.join(" "),
    watch: () => () => {},
    start: () => {},
    close: async () => {},
    ...scripted,
  };
  return {
    ...remembering(answers, asked),
    asked,
    theOnlyCall: () => {
      const [only, ...others] = asked;
      if (only === undefined || others.length > 0)
        throw new Error(`${asked.length} calls reached the engine`);
      return only;
    },
  };
}

/** The same engine, with every wish written down before it is answered. Its own upkeep is not a wish. */
function remembering(engine: Engine, asked: FakeEngine["asked"]): Engine {
  const upkeep = new Set(["seal", "watch", "start", "close"]);
  return new Proxy(engine, {
    get: (target, method: keyof Engine & string) => {
      const answer: unknown = Reflect.get(target, method);
      if (typeof answer !== "function" || upkeep.has(method)) return answer;
      return (...args: unknown[]) => {
        asked.push({ method, args });
        return answer(...args);
      };
    },
  });
}
