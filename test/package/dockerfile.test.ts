/** The Dockerfile, as far as it can be looked at without building it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { launch, volume } from "../../src/hosts/launch.ts";
import { read, root } from "./tarball.ts";

const text = read("Dockerfile");
const about = JSON.parse(read("package.json"));

/** One instruction a line, comments gone. */
const instructions = text
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");

/** What stands after every `name`, in order. */
const all = (name: string) =>
  instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

test("has nothing that the linter minds", () => {
  expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
});

test("builds and runs on one version of Node, named to the last digit, that the package is for", () => {
  const bases = all("FROM").map((base) => /^node:(\d+)\.(\d+)\.\d+-(\w+)(-slim)?( AS build)?$/.exec(base));
  const [build, run] = bases.map((parts) => parts?.slice(1, 4));
  expect(bases).toHaveLength(2);
  expect(build).toBeDefined();
  expect(run).toEqual(build);
  expect(about.engines.node).toContain(`>=${build?.[0]}.`);
  expect(bases[1]?.[4]).toBe("-slim");
});

test("runs as nobody in particular, with its data in a volume that is this user's", () => {
  expect(all("USER")).toEqual(["node"]);
  expect(all("VOLUME")).toEqual(["/data"]);
  expect(all("ENV").join()).toContain("CLAIMCHECK_DATA_DIR=/data");
  const made = instructions.findIndex((line) =>
    /install --directory --owner=node .*--mode=0700 \/data/.test(line),
  );
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(instructions.findIndex((line) => line.startsWith("VOLUME")));
});

test("starts the binary of the package, by itself, so that signals and the closed input reach it", () => {
  expect(all("ENTRYPOINT").map((given) => JSON.parse(given))).toEqual([
    ["node", `/app/${about.bin.claimcheck}`],
  ]);
  expect(all("CMD")).toEqual([]);
});

test("carries the name that proves to the registry whose it is", () => {
  expect(text).toContain(`io.modelcontextprotocol.server.name="${about.mcpName}"`);
});

test("is started as config says it is", () => {
  const { command, args } = launch({
    form: "docker",
    windows: false,
    node: "",
    script: "",
    dataDirectory: "",
  });
  expect(text).toContain(`# ${[command, ...args].join(" ")}\n`);
  expect(args).toContain(`${volume}:/data`);
});

test("has in its context what it builds from, and nothing that the sources do not hold", () => {
  const [everything, ...but] = read(".dockerignore")
    .split("\n")
    .filter((line) => /^[^#]/.test(line));
  expect(everything).toBe("*");
  const let_in = but.map((line) => line.replace(/^!/, ""));
  expect(let_in.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(let_in.filter((path) => /node_modules|dist|\.env|\.git/.test(path))).toEqual([]);
  const copied = all("COPY").filter((given) => !given.startsWith("--from"));
  const named = copied.flatMap((given) => given.split(" ").slice(0, -1)).filter((path) => path !== ".");
  expect(named.filter((path) => !let_in.includes(path))).toEqual([]);
});
