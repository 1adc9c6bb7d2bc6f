/** What README.md and SPEC.md say of tools, hosts, settings and limits. */
import { failureCodes } from "../../machines/evidence.ts";
import { generalHelp } from "../../src/cli/help.ts";
import { variableGroups } from "../../src/config/variables.ts";
import { errorCodes } from "../../src/contract/errors.ts";
import { policyKnobs } from "../../src/contract/policy.ts";
import { warnings } from "../../src/contract/warnings.ts";
import { code, fenced, table } from "./markdown.ts";

export const help = () => fenced("text", generalHelp());

/** All but the limits, which have a table of their own. */
export function settings(): string {
  const named = variableGroups.slice(0, -1).flatMap(({ variables }) => variables);
  return table(
    ["variable", "unset it is", "what for"],
    named.map(({ env, fallback, purpose }) => [code(env), fallback, purpose]),
  );
}

export function limits(): string {
  const rows = Object.values(policyKnobs).map((knob) => [
    code(knob.env),
    amount(knob.fallback, knob.unit),
    range(knob),
    knob.purpose,
  ]);
  return table(["variable", "default", "range", "what for"], rows);
}

export function codes(): string {
  return table(
    ["where", "codes"],
    [
      ["a call that was refused (`code`)", errorCodes.map(code).join(", ")],
      ["a request that failed (`failure.code`)", failureCodes.map(code).join(", ")],
      ["beside an answer (`warnings`)", warnings.map(code).join(", ")],
    ],
  );
}

function amount(value: number, unit: string): string {
  if (unit === "bytes") return binary(value);
  if (unit === "ms" && value % 1_000 === 0) return `${(value / 1_000).toLocaleString("en-US")} s`;
  return unit === "count" ? value.toLocaleString("en-US") : `${value.toLocaleString("en-US")} ${unit}`;
}

function range({ min, max, unit }: { min: number; max: number; unit: string }): string {
  const [least, most] = [amount(min, unit), amount(max, unit)];
  const [name = ""] = most.split(" ").slice(1);
  return `${least.endsWith(` ${name}`) ? least.slice(0, -name.length - 1) : least} to ${most}`;
}

function binary(bytes: number): string {
  const names = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const step = names.findLastIndex((_, power) => bytes % 1_024 ** power === 0 && bytes >= 1_024 ** power);
  return `${bytes / 1_024 ** step} ${names[step]}`;
}
