import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Opinion, opinionNamed, opinions } from "../../src/advice/opinions.ts";
import { answerFormatOf } from "../../src/advice/sections/format.ts";
import { sectionsOf } from "../../src/advice/sections/sections.ts";

function opinion(name: string): Opinion {
  const found = opinionNamed(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

const plan = opinion("review_plan");
const code = opinion("review_code");

const whole = {
  summary: "It holds.",
  recommendation: "Go on.",
  key_concerns: ["No rollback.", "Step 3 needs a lock:\n  - on the table"],
  suggested_next_steps: ["Write the rollback."],
  confidence: "Medium",
  notes: "None of it was run.",
};

const markdown = `# Summary
It holds.

## Recommendation
Go on.

## Key Concerns
- No rollback.
- Step 3 needs a lock:
  - on the table

## Suggested Next Steps
1. Write the rollback.

## Confidence
Medium

## Notes
None of it was run.
`;

describe("an answer that keeps to its form", () => {
  const forms: [string, string][] = [
    ["JSON as asked for", JSON.stringify(whole)],
    [
      "JSON in a fence, amid prose",
      `Here it is:\n\`\`\`json\n${JSON.stringify(whole, null, 2)}\n\`\`\`\nAsk away.`,
    ],
    [
      "JSON with headings for names",
      JSON.stringify({
        Summary: whole.summary,
        Recommendation: whole.recommendation,
        "Key Concerns": whole.key_concerns,
        "Suggested Next Steps": whole.suggested_next_steps,
        Confidence: "medium",
        Notes: whole.notes,
      }),
    ],
    [
      "JSON with a text where a list was asked for",
      JSON.stringify({ ...whole, key_concerns: "- No rollback.\n- Step 3 needs a lock:\n  - on the table" }),
    ],
    ["Markdown", markdown],
    ["Markdown with other line ends", markdown.replaceAll("\n", "\r\n")],
    ["Markdown with bold headings", markdown.replace(/^#+ (.+)$/gm, "**$1:**")],
    ["Markdown with numbered headings", markdown.replace(/^#+ (.+)$/gm, "### 3. $1")],
    ["plain headings with colons", markdown.replace(/^#+ (.+)$/gm, "$1:")],
    [
      "headings in capitals, with words before the first",
      `Sure!\n\n${markdown.replace(/^#+ (.+)$/gm, (_, name: string) => `## ${name.toUpperCase()}`)}`,
    ],
    [
      "text on the heading's own line",
      markdown
        .replace("# Summary\nIt holds.", "**Summary:** It holds.")
        .replace("## Confidence\nMedium", "Confidence: Medium (there is no test)"),
    ],
    [
      "headings with their choices",
      markdown.replace(
        "## Confidence\nMedium",
        "## Confidence (Low/Medium/High)\n**Medium** - I saw no tests.",
      ),
    ],
  ];
  test.each(forms)("%s", (_, answer) => {
    expect(sectionsOf(plan, answer)).toEqual(whole);
  });

  test("headings of the model's own stay in the section they stand in", () => {
    const answer = "## Summary\nA.\n### Why\nB.\n## Notes\n```\n# Summary\nnot this\n```";
    expect(sectionsOf(plan, answer)).toEqual({
      summary: "A.\n### Why\nB.",
      notes: "```\n# Summary\nnot this\n```",
    });
  });

  test("sections of other opinions are not invented", () => {
    expect(sectionsOf(plan, "## Suggested Fixes\n- x")).toBeNull();
    expect(sectionsOf(code, "## Suggested Fixes\n- x")).toEqual({ suggested_fixes: ["x"] });
  });

  test("an empty section is left out, and confidence that says none of the three is no confidence", () => {
    expect(sectionsOf(plan, "## Summary\nA.\n## Notes\n\n## Confidence\n85 %")).toEqual({ summary: "A." });
  });
});

test.each([
  "",
  "Just prose, without a heading.",
  "{",
  "}{",
  "[]",
  '{"a":',
  "null",
  "# Other\ntext",
  "{}",
  '{"x":1}',
])("an answer in no form at all, such as %j, has no sections", (answer) => {
  expect(sectionsOf(plan, answer)).toBeNull();
});

test("nothing that a model says makes the reading of it fail", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("# Summary\n", "**Notes**", "{", "}", '"summary":', "- ", "```", "\n", ":"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const sections = sectionsOf(code, pieces.join(""));
      for (const [key, value] of Object.entries(sections ?? {})) {
        expect(code.sections.map((section) => section.key)).toContain(key);
        expect(value.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 1_000 },
  );
});

describe.each(opinions)("the form asked of $name", (one) => {
  test("is closed, with every section required, as OpenAI's strict mode wants it", () => {
    const { name, schema } = answerFormatOf(one);
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    const keys = one.sections.map(({ key }) => key);
    expect(schema).toMatchObject({ type: "object", required: keys, additionalProperties: false });
    expect(Object.keys(Object(schema["properties"]))).toEqual(keys);
  });
});
