/** Answers as models really write them when nobody holds them to a form. */
import { describe, expect, test } from "vitest";
import { type Opinion, opinionNamed } from "../../src/advice/opinions.ts";
import { sectionsOf } from "../../src/advice/sections/sections.ts";

function opinion(name: string): Opinion {
  const found = opinionNamed(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

const plan = opinion("review_plan");
const code = opinion("review_code");

describe("JSON", () => {
  test.each([
    ["in a word", '{"summary":"A.","key_concerns":["one","tw', { summary: "A.", key_concerns: ["one"] }],
    ["in a name", '{"summary":"A.","key_con', { summary: "A." }],
    ["behind a comma", '{\n  "summary": "A.",\n  "notes": "B.",\n', { summary: "A.", notes: "B." }],
    ["in an escape", '{"summary":"A.","notes":"B\\', { summary: "A." }],
    ["in a fence", '```json\n{"summary":"A.","confidence":"Hi', { summary: "A." }],
  ])("that was cut off %s keeps what was whole", (_, answer, read) => {
    expect(sectionsOf(plan, answer)).toEqual(read);
  });

  test.each([
    ["line ends inside strings", '{"summary":"A.\n\tB.","notes":"C."}', { summary: "A.\n\tB.", notes: "C." }],
    ["commas at the end", '{"summary":"A.","key_concerns":["x",],}', { summary: "A.", key_concerns: ["x"] }],
    ["backslashes of its own", '{"summary":"Use \\d+ in C:\\\\x\\y."}', { summary: "Use \\d+ in C:\\x\\y." }],
    ["another object around it", '{"review":{"summary":"A."},"version":1}', { summary: "A." }],
    ["a list around it", '[{"summary":"A."}]', { summary: "A." }],
    ["braces in front of it", 'Replace {x} and {"y} first. {"summary":"A."}', { summary: "A." }],
    ["braces behind it", '{"summary":"A."}\nThen fill in {name}.', { summary: "A." }],
    [
      "values that were not asked for",
      '{"summary":{"short":"A."},"key_concerns":[{"why":1},null,true],"notes":7}',
      { summary: '{"short":"A."}', key_concerns: ['{"why":1}', "true"], notes: "7" },
    ],
    ["names of everything", '{"__proto__":{"notes":"no"},"constructor":1,"notes":"N."}', { notes: "N." }],
  ])("with %s is read", (_, answer, read) => {
    expect(sectionsOf(plan, answer)).toEqual(read);
  });

  test("with issues grouped by severity says of each how severe it is", () => {
    expect(sectionsOf(code, '{"issues_by_severity":{"high":["a","b"],"low":"c"}}')).toEqual({
      issues_by_severity: ["high: a", "high: b", "low: c"],
    });
  });

  test("that is an example inside an answer in Markdown is not the answer", () => {
    const example = '```json\n{ "notes": null, "summary": "x" }\n```';
    expect(
      sectionsOf(plan, `## Summary\nSend this:\n${example}\n## Key Concerns\n- y\n## Notes\nB.`),
    ).toEqual({
      summary: `Send this:\n${example}`,
      key_concerns: ["y"],
      notes: "B.",
    });
  });

  test("nested deeper than any form does not exhaust the stack", () => {
    for (const sign of ["[", '{"a":', '[{"summary":'])
      expect(() => sectionsOf(plan, `{"summary":"A.","notes":${sign.repeat(100_000)}`)).not.toThrow();
  });
});

describe("headings", () => {
  test.each([
    ["underlined", "Summary\n=======\nA.\n\nNotes\n-----\nB."],
    ["set apart by lines", "---\n## Summary\n\nA.\n\n---\n\n## Notes\n\nB.\n\n* * *"],
    ["in a block of Markdown", "Here it is:\n```markdown\n## Summary\nA.\n## Notes\nB.\n```\nAsk away."],
    ["in a block without a name", "```\n## Summary\nA.\n## Notes\nB.\n```"],
    ["with the colon of another script", "Summary：A.\nNotes：B."],
    ["with dashes", "## Summary — A.\n**Notes** - B."],
    ["in bold with the text behind", "**Summary** A.\n**Notes:** B."],
    ["in italics", "*Summary:* A.\n_Notes_: B."],
    ["all in bold with the text", "**Summary: A.**\n**Notes: B.**"],
    ["with a translation beside", "## 摘要 Summary\nA.\n## Notes (Заметки: всё)\nB."],
    ["with pictures", "## 📝 Summary\nA.\n### 🗒️ **Notes**\nB."],
    ["as a list", "- **Summary:** A.\n- **Notes:** B."],
    ["as a numbered list", "1. **Summary**\n   A.\n2. **Notes**\n   B."],
    ["without a space", "##Summary\nA.\n##Notes\nB."],
  ])("%s are read", (_, answer) => {
    expect(sectionsOf(plan, answer)).toEqual({ summary: "A.", notes: "B." });
  });

  test("keep the bold print of a text that begins on their line", () => {
    expect(sectionsOf(plan, "Summary: **Stop** at step 2.")).toEqual({ summary: "**Stop** at step 2." });
  });

  test.each([
    "- Notes: the column may be null",
    "- **Summary**: it is too long",
    "1. Recommendation: none was asked for",
    "**Confidence** intervals are missing",
    'The field `"notes": null` breaks it',
    "    Notes: indented code",
    "recommendation, summary and notes are missing",
  ])("are not seen in what stands below one: %s", (line) => {
    const read = sectionsOf(plan, `## Key Concerns\nOne.\n\n${line}\n\n## Confidence\nHigh`);
    expect(Object.keys(read ?? {})).toEqual(["key_concerns", "confidence"]);
  });

  test("are not seen in a program, however its fence is written", () => {
    for (const [open, close] of [
      ["~~~yaml", "~~~"],
      ["````md", "````"],
      ["  ```", "  ```"],
    ])
      expect(
        sectionsOf(
          plan,
          `## Summary\nRun:\n${open}\n# Notes\n\`\`\`x\nNotes: x\n${close}\n## Confidence\nlow`,
        ),
      ).toEqual({
        summary: `Run:\n${open}\n# Notes\n\`\`\`x\nNotes: x\n${close}`,
        confidence: "Low",
      });
    expect(sectionsOf(plan, "Do it so:\n```sh\n# Summary\nls\n```")).toBeNull();
    expect(sectionsOf(plan, "## Summary\n```ls``` lists.\n## Notes\nB.")).toMatchObject({ notes: "B." });
  });
});

test.each([
  ["Medium-High, I saw no tests.", "Medium"],
  ["moderate", "Medium"],
  ["Low / Medium / **High**", "High"],
  ["Low / Medium / High", undefined],
  ["Highly dependent on the lowest layer", undefined],
])("confidence in the words %j is %s", (words, confidence) => {
  expect(sectionsOf(plan, `## Summary\nA.\n## Confidence\n${words}`)?.["confidence"]).toBe(confidence);
});

describe("the items of a list", () => {
  const items = (text: string) => sectionsOf(code, `## Issues by Severity\n${text}`)?.["issues_by_severity"];

  test.each([
    ["under headings of their own", "### High\n- a\n- b\n\n### Low:\n- c", ["High: a", "High: b", "Low: c"]],
    ["under bold lines", "**High**\n\n1. a\n2. b\n\n**Low:**\n\n1. c", ["High: a", "High: b", "Low: c"]],
    ["as text under headings", "### High\nNo lock.\n\n### Low\nNames.", ["High: No lock.", "Low: Names."]],
    ["with nothing under a heading", "### High\n### Low\n- c", ["High", "Low: c"]],
    ["with a program in one", "- do\n```sh\n- x\n\n# y\n```\n- z", ["do\n```sh\n- x\n\n# y\n```", "z"]],
    ["with a paragraph behind them", "- a\n- b\n\nAll minor.", ["a", "b", "All minor."]],
    ["with bullets under numbers", "1. a\n- x\n- y\n2. b", ["a\n- x\n- y", "b"]],
    ["with paragraphs in them", "1. a\n\n   more\n2. b", ["a\n\n   more", "b"]],
    ["of three levels", "- a\n  - b\n    - c\n- d", ["a\n  - b\n    - c", "d"]],
    ["with tabs", "-\ta\n\t- b\n-\tc", ["a\n\t- b", "c"]],
    ["as a table", "| how | what |\n|---|---|\n| high | a |", ["| how | what |\n|---|---|\n| high | a |"]],
    ["as bold sentences", "**Do not ship.**\n\nAnd test.", ["**Do not ship.**", "And test."]],
  ])("%s are told apart", (_, text, read) => {
    expect(items(text)).toEqual(read);
  });
});

/** A reader that goes over a text again for each of its signs would take minutes for these. */
test.each([
  "{",
  '{"',
  '{"a":',
  '{"a":1,',
  "[",
  '\\"',
  '{\\"',
  "```\n",
  "**a",
  "(",
  "- a\n",
  "1. a\n- b\n",
  "# ",
  "*# _:",
  " ",
  "\n",
])("a long text of nothing but %j is read in a moment", (piece) => {
  const text = piece.repeat(200_000 / piece.length);
  for (const begin of ["", "## Key Concerns\n", '{"key_concerns":["'])
    expect(() => sectionsOf(code, `${begin}${text}x\n# Summary\nA.`)).not.toThrow();
});
