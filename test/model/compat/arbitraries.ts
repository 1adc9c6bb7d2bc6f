/** Any input and any event a request may meet: every type there is, with evidence of every form. */
import fc from "fast-check";
import { type RequestEvent, requestEventSchema } from "../../../machines/events.ts";
import { failureCodes, lossCauses } from "../../../machines/evidence.ts";
import type { RequestInput } from "../../../machines/request.ts";
import { deadline, later, predecessor, start } from "../../machine/samples.ts";

const id = fc.constantFrom("resp_1", "resp_2", predecessor);
const time = fc.oneof(
  fc.constantFrom(start, deadline, later),
  fc.integer({ min: start, max: deadline + 1_000 }),
);
const name = fc.string({ maxLength: 12, unit: "binary" });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

export const anyInput: fc.Arbitrary<RequestInput> = fc.record({
  background: fc.boolean(),
  retrievable: fc.boolean(),
  predecessor: maybe(fc.constant(predecessor)),
  deadlineAt: fc.constantFrom(start, deadline),
  predecessorRetryUntil: fc.constantFrom(0, start + 30_000),
  maxAttempts: fc.integer({ min: 1, max: 4 }),
});

const echo = fc.record(
  { store: fc.boolean(), background: fc.boolean(), previousResponseId: maybe(id) },
  { requiredKeys: [] },
);
const failure = fc.record(
  {
    code: fc.constantFrom(...failureCodes),
    status: fc.integer({ min: 100, max: 599 }),
    upstreamCode: name,
    upstreamParam: name,
    upstreamRequestId: name,
    retryAfterS: fc.float({ min: 0, max: 600, noNaN: true }),
    cause: name,
  },
  { requiredKeys: ["code"] },
);
const outcome = fc.record({
  responseId: id,
  model: maybe(name),
  text: name,
  refusal: maybe(name),
  reason: maybe(name),
  usage: maybe(fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }))),
  citations: fc.array(fc.record({ url: name, title: maybe(name) }), { maxLength: 2 }),
  kinds: fc.array(name, { maxLength: 2 }),
  fullChars: fc.nat(),
  truncated: fc.boolean(),
  serviceTier: maybe(name),
  echo,
});

/** By the names that events give what they carry. */
const evidence: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  at: time,
  failure,
  outcome,
  echo,
  responseId: id,
  model: maybe(name),
  sequence: maybe(fc.nat()),
  retryAt: maybe(time),
  upstreamRequestId: name,
};
const perType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "upstream.lost cause": fc.constantFrom(...lossCauses),
  "upstream.lost status": fc.integer({ min: 100, max: 599 }),
  "retrieval.pending status": fc.constantFrom("queued", "in_progress"),
};

/** Every event of the schema; what it may leave out is left out half of the time. */
export const anyEvent: fc.Arbitrary<RequestEvent> = fc.oneof(...requestEventSchema.options.map(ofType));

function ofType({ shape }: (typeof requestEventSchema.options)[number]): fc.Arbitrary<RequestEvent> {
  const type = shape.type.value;
  const carried = Object.entries(shape).filter(([key]) => key !== "type");
  const model = Object.fromEntries(carried.map(([key]) => [key, valueFor(type, key)]));
  const requiredKeys = carried.flatMap(([key, schema]) => (schema.safeParse(undefined).success ? [] : [key]));
  return fc.record(model, { requiredKeys }).map((rest) => requestEventSchema.parse({ type, ...rest }));
}

function valueFor(type: string, key: string): fc.Arbitrary<unknown> {
  const value = perType[`${type} ${key}`] ?? evidence[key];
  if (value === undefined) throw new Error(`Nothing makes the ${key} of ${type}.`);
  return value;
}
