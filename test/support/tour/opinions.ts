import { randomUUID } from "node:crypto";
import { opinionTools } from "../../../src/contract/opinion-tools.ts";
import type { World } from "../world.ts";
import { about, error, type Guide, text } from "./guide.ts";

/** Second opinions: answered in sections, as they came, and refused before anything is sent. */
export async function opinions({ sim }: World, { fine, wrong }: Guide): Promise<void> {
  for (const tool of opinionTools) {
    const [inSections, inNone] = [randomUUID(), randomUUID()];
    sim.script({ times: 1, scenario: { output: { text: "## Summary\nYes.\n## Key Concerns\n- None." } } });
    await fine(
      tool,
      { question: "Is it sound?", request_id: inSections },
      about(inSections, "completed", { text, sections: { summary: "Yes.", key_concerns: ["None."] } }),
    );
    await fine(tool, { question: "And now?", request_id: inNone }, about(inNone, "completed", { text }));
    await wrong(tool, { question: " " }, error("invalid_arguments"));
    await wrong(
      tool,
      { question: "This?", relevant_files: [{ path: ".env", content: "A=1" }] },
      error("file_refused"),
    );
    await wrong(tool, { question: "q".repeat(40_000) }, error("input_too_large"));
  }
}
