import { isAtLeast } from "../store/sqlite/sqlite-version.ts";
import { type Finding, fail, ok } from "./check.ts";

/** As in package.json: what better-sqlite3 and Node-API need. */
const floors = { line20: "20.19.0", later: "22.14.0" };

type NodeFacts = Pick<NodeJS.Process, "versions" | "platform" | "arch">;

export function checkNode({ versions, platform, arch }: NodeFacts): Finding {
  const here = `Node ${versions.node} on ${platform}-${arch}, ABI ${versions.modules}`;
  const floor = versions.node.startsWith("20.") ? floors.line20 : floors.later;
  return isAtLeast(versions.node, floor)
    ? ok(`${here}.`)
    : fail(`${here}.`, "Install Node 20.19 or later of its line, or 22.14 or later.");
}
