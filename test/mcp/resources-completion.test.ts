import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { clientKinds, connect } from "./support/connect.ts";
import { type FakeEngine, fakeEngine } from "./support/fake-engine.ts";
import { aSession } from "./support/views.ts";

const uuid = (n: number, head = "0") => `${head.repeat(8)}-0000-4000-8000-${String(n).padStart(12, "0")}`;
const at = "2026-01-01T00:00:00.000Z";

/** Requests newest first, in pages as an engine gives them. */
function withRequests(ids: string[]): FakeEngine {
  return fakeEngine({
    requests: async ({ limit, before }) => {
      const from = before === undefined ? 0 : Number(before);
      const next = from + limit;
      return {
        requests: ids.slice(from, next).map((id) => ({
          request_id: id,
          session_id: uuid(1),
          status: "completed",
          tool: "chat",
          turn: 1,
          requested_model: "m",
          created_at: at,
          updated_at: at,
          delivered: true,
        })),
        ...(next < ids.length && { next_cursor: String(next) }),
      };
    },
  });
}

function withSessions(sessions: { id: string; name?: string; day: number }[]): Engine {
  return fakeEngine({
    sessions: async ({ limit, after }) => {
      const from = after === undefined ? 0 : Number(after);
      const next = from + limit;
      return {
        sessions: sessions.slice(from, next).map(({ id, name, day }) =>
          aSession({
            session_id: id,
            ...(name !== undefined && { name }),
            updated_at: `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`,
          }),
        ),
        ...(next < sessions.length && { next_cursor: String(next) }),
      };
    },
  });
}

async function complete(engine: Engine, ref: object, name: string, value: string) {
  const { client } = await connect({ kind: "v1", engine });
  const params = { ref, argument: { name, value } } as Parameters<typeof client.complete>[0];
  return (await client.complete(params)).completion;
}

const requests = { type: "ref/resource", uri: "claimcheck://requests/{id}" };
const sessions = { type: "ref/resource", uri: "claimcheck://sessions/{id}" };

describe("a request's id", () => {
  test("is completed from its beginning, in either case, newest first", async () => {
    const engine = withRequests([uuid(3, "a"), uuid(2, "b"), uuid(1, "a")]);
    expect(await complete(engine, requests, "id", "A")).toEqual({
      values: [uuid(3, "a"), uuid(1, "a")],
      total: 2,
      hasMore: false,
    });
    expect((await complete(engine, requests, "id", "")).values).toHaveLength(3);
    expect((await complete(engine, requests, "id", "c")).values).toEqual([]);
  });

  test("comes in at most a hundred values, and it is said that there are more", async () => {
    const engine = withRequests(Array.from({ length: 250 }, (_, n) => uuid(n)));
    const { values, hasMore } = await complete(engine, requests, "id", "0");
    expect(values).toEqual(Array.from({ length: 100 }, (_, n) => uuid(n)));
    expect(hasMore).toBe(true);
    expect(engine.asked).toHaveLength(2);
  });

  test("is looked for among the newest thousand only", async () => {
    const engine = withRequests(Array.from({ length: 5_000 }, (_, n) => uuid(n)));
    expect(await complete(engine, requests, "id", "f")).toEqual({ values: [], hasMore: true });
    expect(engine.asked).toHaveLength(10);
  });
});

describe("a session", () => {
  const some = [
    { id: uuid(1, "a"), day: 1 },
    { id: uuid(2, "b"), name: "Album", day: 3 },
    { id: uuid(3, "c"), name: "Other", day: 2 },
  ];

  test("is completed by its id or its name, the one used last before the others", async () => {
    const engine = withSessions(some);
    expect(await complete(engine, sessions, "id", "a")).toEqual({
      values: ["Album", uuid(1, "a")],
      total: 2,
      hasMore: false,
    });
    expect((await complete(engine, sessions, "id", "")).values).toEqual([
      "Album",
      uuid(2, "b"),
      "Other",
      uuid(3, "c"),
      uuid(1, "a"),
    ]);
  });

  test("is completed in a prompt as well", async () => {
    const prompt = { type: "ref/prompt", name: "review_plan" };
    expect((await complete(withSessions(some), prompt, "session_id", "oth")).values).toEqual(["Other"]);
  });

  test("comes in at most a hundred values, with how many there are", async () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ id: uuid(n), day: 1 }));
    const { values, total, hasMore } = await complete(withSessions(many), sessions, "id", "");
    expect({ values: values.length, total, hasMore }).toEqual({ values: 100, total: 150, hasMore: true });
  });
});

test.each([
  [{ type: "ref/prompt", name: "review_plan" }, "question"],
  [{ type: "ref/prompt", name: "no_such_prompt" }, "session_id"],
  [{ type: "ref/resource", uri: "claimcheck://requests/{id}" }, "other"],
  [{ type: "ref/resource", uri: "file:///{path}" }, "path"],
])("for anything else (%o, %s) there is nothing to suggest, and nothing is looked at", async (ref, name) => {
  const engine = fakeEngine();
  expect(await complete(engine, ref, name, "a")).toEqual({ values: [], total: 0, hasMore: false });
  expect(engine.asked).toEqual([]);
});

test.each(clientKinds)("the %s client can ask for completions", async (kind) => {
  const { client } = await connect({ kind, engine: withRequests([uuid(1)]) });
  const ref = { type: "ref/resource" as const, uri: "claimcheck://requests/{id}" };
  const { completion } = await client.complete({ ref, argument: { name: "id", value: "0" } });
  expect(completion.values).toEqual([uuid(1)]);
});
