import { readdirSync, readFileSync } from "node:fs";
import { describe } from "vitest";
import { ZodError } from "zod";
import { catalogue, type Rule } from "../../src/simulator/simulator.ts";
import { asking, expect, read, test } from "./support.ts";

const says = (text: string) => ({ output: { text } });

describe("a rule", () => {
  test("is for the message and the model it names", async ({ simulator, client }) => {
    simulator.script({ match: { message: "plan" }, scenario: says("a plan") });
    simulator.script({
      match: { message: "plan", model: "gpt-other" },
      scenario: says("another model's plan"),
    });
    const ask = async (message: string, model: string) =>
      (await read(client.responses.create({ ...asking({ message }), model }))).text;

    expect(await ask("Review my plan.", "gpt-sim")).toBe("a plan");
    expect(await ask("Review my plan.", "gpt-other")).toBe("another model's plan");
    expect(await ask("Hi", "gpt-other")).toBe("You said: Hi");
  });

  test("wins over earlier ones until it is used up", async ({ simulator, client }) => {
    simulator.script({ scenario: says("always") });
    simulator.script({ times: 2, scenario: says("twice") });
    const ask = async () => (await read(client.responses.create(asking()))).text;

    expect([await ask(), await ask(), await ask()]).toEqual(["twice", "twice", "always"]);
  });

  test("is not used up by a POST that is rejected before it", async ({ simulator, client }) => {
    simulator.script({ times: 1, scenario: says("once") });
    await read(client.responses.create(asking({ previous: "resp_unknown" })));

    expect((await read(client.responses.create(asking()))).text).toBe("once");
  });

  test("cannot ask for a body that is never read", async ({ simulator }) => {
    expect(() => simulator.script({ match: { model: "m" }, scenario: "reset_before_reading" })).toThrow(
      ZodError,
    );
  });

  test("that is unread waits behind one that needs the body", async ({ simulator, client }) => {
    simulator.script({ times: 1, scenario: "reset_before_reading" });
    simulator.script({ match: { message: "plan" }, times: 1, scenario: says("a plan") });
    const ask = (message: string) => read(client.responses.create(asking({ message })));

    expect((await ask("plan")).text).toBe("a plan");
    expect((await ask("Hi")).error).toMatchObject({ message: "Connection error." });
    expect(simulator.ledger).toMatchObject({ attempts: 2, posts: 1 });
  });

  test("is refused where it is none", async ({ simulator }) => {
    const mistakes: unknown[] = [
      { scenario: "no_such_name" },
      { scenario: { hodl: ["created"] } },
      { scenario: { cut: { after: "created", how: "gently" } } },
      { times: 0, scenario: "normal" },
    ];
    for (const mistake of mistakes) expect(() => simulator.script(mistake as Rule)).toThrow(ZodError);
  });

  test("is forgotten by a reset, with all the rest", async ({ simulator, client }) => {
    simulator.script({ scenario: "hold_after_created" });
    const reading = read(client.responses.create(asking()));
    await expect.poll(() => simulator.ledger.holding).toBe(1);

    simulator.reset();

    expect((await reading).types).toEqual(["response.created"]);
    expect(simulator.ledger).toMatchObject({
      attempts: 0,
      posts: 0,
      holding: 0,
      requests: [],
      responses: [],
    });
    expect((await read(client.responses.create(asking()))).response?.status).toBe("completed");
  });
});

test("every scenario with a name is driven by a test", () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
    .join("");

  const undriven = Object.keys(catalogue).filter((name) => !tests.includes(`"${name}"`));
  expect(undriven).toEqual([]);
});
