import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { envExample } from "../../src/config/env-example.ts";
import { variables } from "../../src/config/variables.ts";
import { policyKnobs } from "../../src/contract/policy.ts";

const committed = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");

test(".env.example names every variable there is, and no other", () => {
  const named = [...committed.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(variables.map(({ env }) => env).toSorted());
  expect(named).toEqual(expect.arrayContaining(Object.values(policyKnobs).map(({ env }) => env)));
});

test(".env.example gives each variable's purpose, range and default", () => {
  expect(committed).toBe(envExample());
});

test(".env.example sets nothing when it is loaded as it is", () => {
  expect([...committed.matchAll(/^[A-Z_]+=(.+)$/gm)]).toEqual([]);
});
