/** `server.json` by the rules of the MCP registry's schema of 2025-12-11 and of what it checks on publishing. */
import { expect, test } from "vitest";
import * as z from "zod";
import { serverJson } from "../../.config/docs/server-json.ts";
import { variables } from "../../src/config/variables.ts";
import { read } from "./tarball.ts";

const manifest = JSON.parse(read("server.json"));
const about = JSON.parse(read("package.json"));

const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, "one version, no range");

const inputSchema = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  description: z.string().min(1),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
});

const serverSchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal("npm"),
        identifier: z.string(),
        version,
        runtimeHint: z.literal("npx"),
        transport: z.strictObject({ type: z.literal("stdio") }),
        environmentVariables: z.array(inputSchema),
      }),
    )
    .length(1),
});

test("keeps the registry's rules", () => {
  expect(serverSchema.safeParse(manifest).error).toBeUndefined();
});

test("says of name and version what package.json says, by which the registry knows the owner", () => {
  expect(manifest).toMatchObject({ name: about.mcpName, version: about.version });
  expect(manifest.packages).toMatchObject([{ identifier: about.name, version: about.version }]);
});

test("is generated: npx tsx .config/docs.ts writes it anew", () => {
  expect(manifest).toEqual(JSON.parse(serverJson()));
});

test("asks for the key, as a secret, and requires nothing else", () => {
  const [asked] = serverSchema.parse(manifest).packages;
  const known = new Set(variables.map(({ env }) => env));
  const inputs = asked?.environmentVariables ?? [];
  expect(inputs.filter(({ name }) => !known.has(name))).toEqual([]);
  expect(inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(["OPENAI_API_KEY"]);
  expect(inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(["OPENAI_API_KEY"]);
});
