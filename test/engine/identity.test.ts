import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { processIdentity } from "../../src/engine/identity.ts";

/** The owner mark of this process with another process id and start time in it. */
function markOf(pid: number, started = ""): string {
  const parts = processIdentity().owner.split("|");
  return [parts[0], pid, started, "cafe"].join("|");
}

it("a process that ended is provably gone, at once", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  expect(processIdentity().isGone(markOf(child.pid ?? 0))).toBe(true);
});

it("a process that lives is not gone, nor are we", () => {
  const identity = processIdentity();
  expect(identity.isGone(identity.owner)).toBe(false);
  expect(processIdentity().isGone(identity.owner)).toBe(false);
});

it.runIf(process.platform === "linux")(
  "a process id that was given to another process does not keep its owner alive",
  () => {
    expect(processIdentity().isGone(markOf(process.pid, "1"))).toBe(true);
  },
);

it("an owner on another machine, boot or namespace is never declared gone", () => {
  expect(processIdentity().isGone("elsewhere/boot/pid|1|1|cafe")).toBe(false);
  expect(processIdentity().isGone("nonsense")).toBe(false);
});

it("two engines in one process are two owners", () => {
  expect(processIdentity().owner).not.toBe(processIdentity().owner);
});
