/** A path played from its claim on, and looked at after every step. */
import { stateOf } from "../../../machines/snapshots.ts";
import { start } from "../../machine/samples.ts";
import { Life, type Stage } from "./life.ts";
import type { PlayedStep } from "./paths.ts";
import { type House, setStage } from "./stage.ts";
import type { Story } from "./stories.ts";

/** Looked at when the claim (`step` null) or a step is written. */
export type Look = (life: Life, step: PlayedStep | null) => Promise<void>;

/** @throws naming the path, with what went wrong as its cause */
export async function play(
  house: House,
  story: Story,
  path: readonly PlayedStep[],
  look: Look,
): Promise<Life> {
  const stage = await setStage(house, { retrievable: story.input.retrievable });
  const life = new Life(stage, start);
  try {
    await life.claim(story.input, await sessionOf(stage, story));
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
    await stage.simulator.close();
  }
}

/** A later turn continues a session that has an answer. */
export async function sessionOf(stage: Stage, { laterTurn }: Story): Promise<string | undefined> {
  if (!laterTurn) return undefined;
  const life = new Life(stage, start);
  await life.claim({ background: true });
  await life.happen({ type: "upstream.completed", at: start }, (turn) =>
    turn.answerPost({ treatAs: { background: false }, reply: "json" }),
  );
  await life.end();
  return (await stage.store.load(life.id))?.sessionId;
}

export function told(path: readonly PlayedStep[]): string {
  return path.map(({ event, after }) => `${event.type} (${stateOf(after)})`).join(", ");
}
