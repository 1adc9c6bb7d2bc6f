/** The official inspector finds nothing to say against the server, in either era of the protocol. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";
import { envelope } from "../support/eras.ts";
import { said } from "../support/said.ts";
import { spawnServer, toolResult } from "../support/stdio.ts";
import { temporaryDirectory, type World, world } from "../support/world.ts";
import { type Inspected, type InspectorEra, inspect, inspector, inspectorEras } from "./support.ts";

/** It ended well and had nothing to add; what it got. */
function clean({ code, result, stderr }: Inspected): Record<string, unknown> {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return result["result"] as Record<string, unknown>;
}

describe.each(inspectorEras)("in the %s era", (era) => {
  test("the tools are listed without a warning under its strictest eyes", async () => {
    const seen = await inspect(await world(), era, "tools/list", ["--strict"]);
    expect(clean(seen)["tools"]).toHaveLength(Object.values(toolsetsToLookAt()).flat().length);
    expect(seen.result).not.toHaveProperty("schemaFindings");
  });

  test("a question is answered", async () => {
    const here = await world();
    const args = ["--tool-name", "chat", "--tool-args-json", JSON.stringify({ message: "Hello." })];
    const result = clean(await inspect(here, era, "tools/call", args));
    expect(said(toolResult(result))).toMatchObject({ status: "completed", text: "You said: Hello." });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("a tool's error is one, with the same words in both channels", async () => {
    const here = await world();
    const args = ["--tool-name", "chat", "--tool-args-json", JSON.stringify({ message: "Hi.", modle: "x" })];
    const { code, result } = await inspect(here, era, "tools/call", args);
    expect(code).toBe(5);
    const told = toolResult(result["result"] as Record<string, unknown>);
    expect(said(told)).toMatchObject({ status: "error", code: "invalid_arguments" });
    expect(here.sim.ledger.posts).toBe(0);
  });

  test.each([
    ["resources", "resources/list"],
    ["resources", "resources/templates/list"],
    ["prompts", "prompts/list"],
  ])("where it declares %s, %s has some, and there is no warning", async (capability, method) => {
    const here = await world();
    const declared = Object.hasOwn(await capabilitiesIn(era, here), capability);
    const [list] = Object.values(clean(await inspect(here, era, method)));
    expect(list).toBeInstanceOf(Array);
    expect(Array.isArray(list) && list.length > 0).toBe(declared);
  });
});

/** What the server says that it can do. */
async function capabilitiesIn(era: InspectorEra, here: World): Promise<object> {
  const server = spawnServer({ upstream: here.sim.url, dataDir: here.dataDir });
  onTestFinished(() => server.kill());
  const clientInfo = { name: "test-client", version: "1.0.0" };
  const { capabilities } = await (era === "legacy"
    ? server.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
    : server.request("server/discover", { _meta: envelope(clientInfo) }));
  return z.looseObject({}).parse(capabilities);
}

test("its strictest eyes see a field that may be null", async () => {
  const nullable = { type: "object", properties: { field: { type: ["string", "null"] } } };
  const results = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "careless", version: "1" },
    },
    "tools/list": { tools: [{ name: "careless", inputSchema: nullable }] },
  };
  const server = `const results = ${JSON.stringify(results)};
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (results[method]) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
    });`;
  const file = join(temporaryDirectory(), "careless.cjs");
  writeFileSync(file, server);
  const { result, stderr } = await inspector([process.execPath, file, "--method", "tools/list", "--strict"]);
  expect(stderr).toContain("warning");
  expect(result).toHaveProperty("schemaFindings");
});
