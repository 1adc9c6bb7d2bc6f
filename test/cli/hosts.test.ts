import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type HostName, hostNames, hosts } from "../../src/cli/hosts.ts";
import { main } from "../../src/cli/main.ts";
import { fakeWorld } from "./support/fake-world.ts";

const installation = {
  node: "/opt/node's home/bin/node",
  script: "/opt/claim check/dist/claimcheck.js",
  os: "linux",
  dataDirectory: "/home/somebody/.local/share/claimcheck",
};

const expectedServer: Record<Exclude<HostName, "codex">, unknown> = {
  "claude-code": {
    mcpServers: { claimcheck: { type: "stdio", env: { OPENAI_API_KEY: `\${OPENAI_API_KEY}` } } },
  },
  "claude-desktop": {
    mcpServers: {
      claimcheck: {
        args: [
          "--",
          installation.script,
          "serve",
          "--env-file",
          `${installation.dataDirectory}/claimcheck.env`,
        ],
      },
    },
  },
  cursor: { mcpServers: { claimcheck: { env: { OPENAI_API_KEY: `\${env:OPENAI_API_KEY}` } } } },
  vscode: { servers: { claimcheck: { type: "stdio", env: { OPENAI_API_KEY: `\${env:OPENAI_API_KEY}` } } } },
  generic: { mcpServers: { claimcheck: { command: installation.node, args: [installation.script] } } },
};

describe.each(hostNames)("the setup for %s", (name) => {
  const setup = hosts[name](installation);

  test("names the Node and the file that run, by absolute path", () => {
    const { text } = setup.block;
    expect(text).toContain(JSON.stringify(installation.node));
    expect(text).toContain(JSON.stringify(installation.script));
  });

  test("is the block its host reads", () => {
    if (name === "codex") {
      expect(setup.block.text).toMatch(
        /^\[mcp_servers\.claimcheck\]\ncommand = ".*"\nargs = \[".*"\]\nenv_vars = \["OPENAI_API_KEY", "OPENAI_MODEL"\]/,
      );
    } else {
      expect(JSON.parse(setup.block.text)).toMatchObject(expectedServer[name] as object);
    }
  });

  test("has a command that a shell hands on unharmed", () => {
    if (setup.command === undefined) return;
    const echoed = setup.command
      .replace(/^(claude|code|printf '%s\\n')/, "printf '%s\\n'")
      .replace(/ >> .*$/, "");
    const words = execFileSync("sh", ["-c", echoed], { encoding: "utf8" });
    expect(words).toContain(installation.node);
    expect(words).toContain(installation.script);
  });
});

describe("claimcheck config", () => {
  test.each(hostNames)("%s prints the setup and no key, even where there is one", async (name) => {
    const world = fakeWorld({ OPENAI_API_KEY: "test-key-not-real" });
    expect(await main(["config", name], world)).toBe(0);
    expect(world.printed()).toContain(process.execPath);
    expect(world.printed()).not.toContain("test-key-not-real");
  });

  test("--json prints one JSON document", async () => {
    const world = fakeWorld();
    expect(await main(["config", "cursor", "--json"], world)).toBe(0);
    expect(JSON.parse(world.printed())).toMatchObject({ file: "~/.cursor/mcp.json" });
  });

  test("suggests the host that was meant, and lists them where none was", async () => {
    const near = fakeWorld();
    expect(await main(["config", "cursr"], near)).toBe(2);
    expect(near.complained()).toContain("Did you mean cursor?");
    const none = fakeWorld();
    expect(await main(["config"], none)).toBe(2);
    expect(none.complained()).toContain(hostNames.join(", "));
  });
});
