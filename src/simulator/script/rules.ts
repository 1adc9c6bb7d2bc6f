import * as z from "zod";
import { type CreateRequest, inputTexts } from "../model/create-request.ts";
import { catalogue, isScenarioName, type ScenarioName } from "./catalogue.ts";
import { type Scenario, scenarioSchema } from "./scenario.ts";

const scenarioName = z.custom<ScenarioName>(isScenarioName, "not a name of the catalogue");

const ruleSchema = z
  .strictObject({
    /** Every condition given must hold; none given: any POST. */
    match: z
      .strictObject({
        /** Occurs in the input, whichever of its messages it is in. */
        message: z.string().optional(),
        model: z.string().optional(),
      })
      .optional(),
    /** How many POSTs it serves; without: all. */
    times: z.int().min(1).optional(),
    scenario: z.union([scenarioName, scenarioSchema]),
  })
  .refine((rule) => !(rule.match && resolve(rule.scenario).reply === "reset_unread"), {
    error: "reset_unread cannot match: the body is never read",
  });

/** Which POSTs get which scenario, by name or in full. */
export type Rule = z.input<typeof ruleSchema>;

/** The scenario found for a POST; `use` is called once the POST really gets it. */
interface Choice {
  readonly scenario: Scenario;
  use(): void;
}

interface Entry {
  readonly match: { message?: string | undefined; model?: string | undefined } | undefined;
  readonly scenario: Scenario;
  left: number;
}

const NORMAL: Choice = { scenario: {}, use: () => {} };

/** The rules in force: the latest that matches and has uses left wins. */
export class Rules {
  #entries: Entry[] = [];

  /** @throws ZodError where the rule is not one */
  add(rule: unknown): void {
    const { match, times, scenario } = ruleSchema.parse(rule);
    const entry = { match, scenario: resolve(scenario), left: times ?? Number.POSITIVE_INFINITY };
    this.#entries = [entry, ...this.#usable()];
  }

  find(request: CreateRequest): Choice {
    return choiceOf(this.#usable().find((entry) => matches(entry, request)));
  }

  /** The rule that is sure to win before the body is known. */
  findUnread(): Choice {
    const [latest] = this.#usable();
    return choiceOf(latest?.match ? undefined : latest);
  }

  clear(): void {
    this.#entries = [];
  }

  #usable(): Entry[] {
    return this.#entries.filter((entry) => entry.left > 0);
  }
}

function choiceOf(entry: Entry | undefined): Choice {
  if (!entry) return NORMAL;
  return {
    scenario: entry.scenario,
    use: () => {
      entry.left -= 1;
    },
  };
}

function resolve(scenario: ScenarioName | Scenario): Scenario {
  return typeof scenario === "string" ? catalogue[scenario] : scenario;
}

function matches({ match }: Entry, request: CreateRequest): boolean {
  if (match?.model !== undefined && match.model !== request.model) return false;
  const { message } = match ?? {};
  return message === undefined || inputTexts(request).some((text) => text.includes(message));
}
