/** A path played on the stage from its claim on, and looked at after every step. */
import { stateOf } from "../../../machines/snapshots.ts";
import { start } from "../../machine/samples.ts";
import { Life, type Stage } from "./life.ts";
import type { PlayedStep } from "./paths.ts";
import type { Story } from "./stories.ts";

/** Looked at when the claim (`step` null) or a step is written. */
export type Look = (life: Life, step: PlayedStep | null) => Promise<void>;

export async function play(
  stage: Stage,
  story: Story,
  path: readonly PlayedStep[],
  look: Look,
): Promise<Life> {
  const sessionId = story.laterTurn ? await sessionWithAnAnswer(stage) : undefined;
  const life = new Life(stage, start);
  try {
    await life.claim({ background: story.input.background }, sessionId);
    await look(life, null);
    for (const step of path) {
      await life.happen(step.event, step.direction.direct);
      await look(life, step);
    }
    return life;
  } catch (error) {
    throw new Error(`on the path ${told(path)}`, { cause: error });
  } finally {
    await life.end();
    stage.simulator.reset();
  }
}

async function sessionWithAnAnswer(stage: Stage): Promise<string> {
  const life = new Life(stage, start);
  await life.claim({ background: true });
  await life.happen({ type: "upstream.completed", at: start }, (turn) =>
    turn.answerPost({ treatAs: { background: false }, reply: "json" }),
  );
  await life.end();
  const record = await stage.store.load(life.id);
  return record?.sessionId ?? "";
}

function told(path: readonly PlayedStep[]): string {
  return path.map(({ event, after }) => `${event.type} (${stateOf(after)})`).join(", ");
}
