/**
 * A simulator as a process of its own: prints one line, `{"url": "…/v1", "control": "…/_sim"}`, and runs until its
 * standard input is closed. Options: `--port N`, `--chunk-ms N`.
 */
import { parseArgs } from "node:util";
import { startSimulator } from "./simulator.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, "chunk-ms": { type: "string", default: "0" } },
});

const simulator = await startSimulator({
  port: Number(values.port),
  chunkMs: Number(values["chunk-ms"]),
  control: true,
});

process.stdin.resume().once("close", () => simulator.close());
console.log(JSON.stringify({ url: simulator.url, control: simulator.url.replace(/\/v1$/, "/_sim") }));
