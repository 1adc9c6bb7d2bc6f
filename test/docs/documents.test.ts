import { existsSync, readFileSync } from "node:fs";
import { expect, describe as group, test } from "vitest";
import * as z from "zod";
import { blocks, refilled } from "../../.config/docs/refill.ts";
import { generalHelp } from "../../src/cli/help.ts";
import { variables } from "../../src/config/variables.ts";
import { answersInput } from "../../src/contract/answers.ts";
import { chatInput } from "../../src/contract/chat.ts";
import { requestStatusInput } from "../../src/contract/request-status.ts";
import { sessionsInput } from "../../src/contract/sessions.ts";
import { hostNames } from "../../src/hosts/table.ts";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const documents = { "README.md": read("README.md"), "SPEC.md": read("SPEC.md") };
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

group.each(Object.entries(documents))("%s", (name, text) => {
  test("is generated where it says so: npx tsx .config/docs.ts writes it anew", () => {
    expect(refilled(text)).toBe(text);
  });

  test("names only commands that exist", () => {
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = ""]) => script);
    expect(named).not.toEqual([]);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const files = [...text.matchAll(/npx tsx (\S+?\.ts)/g)].map(([, file = ""]) => file);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  test("names only variables that exist", () => {
    const known = new Set(variables.map(({ env }) => env));
    const named = text.match(/\b(?:CLAIMCHECK|OPENAI)_[A-Z_]+\b/g) ?? [];
    expect(named.filter((variable) => !known.has(variable))).toEqual([]);
  });

  test("links only to what is there", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leadsSomewhere(link, name))).toEqual([]);
  });
});

group("README.md and what it shows", () => {
  const readme = documents["README.md"];

  test("has the picture, and the two commands that prove it", () => {
    expect(readme).toContain("](machines/request.svg)");
    expect(readme).toContain("npm ci && npm run demo");
    expect(readme).toContain("npm ci && npm run check");
  });

  test("shows only calls that the tools accept", () => {
    const inputs = {
      chat: chatInput,
      answers: answersInput,
      sessions: sessionsInput,
      request_status: requestStatusInput,
    };
    const calls = [...readme.matchAll(/^(chat|answers|sessions|request_status) (\{.*\})$/gm)];
    expect(calls.length).toBeGreaterThan(1);
    for (const [, tool = "", given = ""] of calls) {
      const input: z.ZodType = z.record(z.string(), z.custom<z.ZodType>()).parse(inputs)[tool] ?? z.never();
      expect(input.safeParse(JSON.parse(given)).error).toBeUndefined();
    }
  });

  test("names every host that can be set up, and no key", () => {
    for (const host of hostNames) expect(readme).toMatch(new RegExp(`\`${host}\`|config ${host}`));
    expect(readme).not.toMatch(/sk-[A-Za-z0-9]/);
  });

  test("quotes the demo as it is played", () => {
    const acts = read("src/cli/demo/acts.ts");
    const [, quoted = ""] = /<!-- demo -->([\s\S]*?)<!-- \/demo -->/.exec(readme) ?? [];
    const titles = [...quoted.matchAll(/^\d {2}(.+)$/gm)].map(([, title = ""]) => title);
    expect(titles).not.toEqual([]);
    for (const title of titles) expect(acts).toContain(`title: "${title}"`);
  });
});

group("SPEC.md and what it says is not there", () => {
  const [, absent = ""] = documents["SPEC.md"].split("## Not there yet");

  test.each([
    [
      "tools",
      absent.split("the commands")[0],
      Object.values(toolsetsToLookAt())
        .flat()
        .map(({ name }) => name),
    ],
    [
      "commands",
      absent.split("the commands")[1],
      [...generalHelp().matchAll(/^ {2}claimcheck (\w+)/gm)].map(([, name]) => name),
    ],
  ])("is true of %s", (_, text = "", there) => {
    const named = [...text.matchAll(/`(\w+)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "chat");
    expect(named).not.toEqual([]);
    expect(named.filter((name) => there.includes(name))).toEqual([]);
  });

  test("has a block for everything that can be read off the code", () => {
    const shown = Object.values(documents).join("");
    expect(Object.keys(blocks).filter((block) => !shown.includes(`<!-- generated:${block} -->`))).toEqual([]);
  });
});

group("a generated block", () => {
  test("that does not exist, or is not closed, is noticed", () => {
    expect(() => refilled("<!-- generated:nothing -->\n<!-- /generated:nothing -->")).toThrow(
      /no block "nothing"/,
    );
    expect(() => refilled("<!-- generated:states -->\n")).toThrow(/not closed/);
  });

  test("replaces what stood there and touches nothing around it", () => {
    const before = "Before.\n<!-- generated:waits -->\nold\n<!-- /generated:waits -->\nAfter.\n";
    const after = refilled(before);
    expect(after).toMatch(
      /^Before\.\n<!-- generated:waits -->\n\| host [\s\S]*\n<!-- \/generated:waits -->\nAfter\.\n$/,
    );
    expect(after).not.toContain("old");
  });
});

function leadsSomewhere(link: string, from: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? from : path;
  if (!existsSync(new URL(file, root))) return false;
  return anchor === undefined || headings(read(file)).includes(anchor);
}

/** As GitHub makes them: lower case, punctuation dropped, spaces to dashes. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
