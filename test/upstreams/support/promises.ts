/** What a user may rely on at every upstream alike, whatever else is odd about it. */
import { describe, expect, test } from "vitest";
import { claimcheckAt } from "./claimcheck.ts";
import { postsFor, type Upstream } from "./upstream.ts";

/** An upstream made ready to answer every message with the same plain answer. */
export interface PlainUpstream {
  upstream: Upstream;
  text: string;
  usage: Record<string, unknown>;
  model: string;
  /** Whether it says that it keeps the answer, as it was asked to. */
  echoesStore: boolean;
}

export function keepsPromises(prepare: () => Promise<PlainUpstream>): void {
  describe("as at every upstream", () => {
    test("an answer arrives whole, with its usage, and was paid for once", async () => {
      const { upstream, text, usage, model, echoesStore } = await prepare();
      const { ask } = await claimcheckAt(upstream.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text, usage, model });
      expect(answer.requested_model).toBe("gpt-somebody-elses");
      expect(answer.warnings).toEqual([
        ...(echoesStore ? [] : ["store_ignored"]),
        ...(answer.model === answer.requested_model ? [] : ["model_differs"]),
      ]);
      expect(await postsFor(upstream, answer.request_id)).toHaveLength(1);
    });

    test("the same request again gives the same answer without a call", async () => {
      const { upstream } = await prepare();
      const { ask } = await claimcheckAt(upstream.baseUrl);
      const first = await ask("What is the answer?");

      const second = await ask("What is the answer?", { requestId: first.request_id });

      expect(second).toMatchObject({ replayed: true, text: first.text, response_id: first.response_id });
      expect(await postsFor(upstream, first.request_id)).toHaveLength(1);
    });

    test("a turn that upstream does not say it joined to the one before is delivered, flagged and not built upon", async () => {
      const { upstream, text } = await prepare();
      const { ask, engine } = await claimcheckAt(upstream.baseUrl);
      const first = await ask("The code word is heron.");

      const second = await ask("Which code word?", { sessionId: first.session_id });

      expect(second).toMatchObject({ status: "completed", text, turn: 2 });
      expect(second.warnings).toContain("context_ignored");
      expect(second.next).toContain("new session");
      expect(await engine.session(first.session_id)).toMatchObject({ latest_response_id: first.response_id });
      expect(await postsFor(upstream, second.request_id)).toHaveLength(1);
    });
  });
}
