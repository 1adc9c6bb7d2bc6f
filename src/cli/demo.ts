/** `claimcheck demo`: the promises, kept in front of you. Exit code 0 only if all of them held. */
import { readConfig } from "../config.ts";
import { openReader } from "./assemble.ts";
import type { Command } from "./command.ts";
import { play } from "./demo/acts.ts";
import { actPage, type Count, countPage, journalPage, preface, verdict } from "./demo/pages.ts";
import { type Stage, setStage } from "./demo/stage.ts";
import { exitCodes } from "./exit-codes.ts";
import { styleFor } from "./terminal.ts";
import type { World } from "./world.ts";

export const demo: Command = {
  help: `claimcheck demo - see a server asked, killed and asked again

  --ascii   plain ASCII

  Real servers and a scripted upstream, all on this machine. Needs no key, sends
  nothing anywhere and leaves nothing behind. Takes a few seconds.`,
  options: { ascii: { type: "boolean" } },
  takes: [],
  async run(given, world) {
    const style = styleFor(world, given.flag("ascii"));
    const print = (page: string) => world.stdout.write(`${page}\n`);
    const stage = await setStage(world);
    try {
      print(preface);
      let number = 0;
      const played = await play(stage, (act) => print(actPage(act, ++number, style)));
      const counts = played.requests.map((request) => ({
        ...request,
        posts: stage.upstream.ledger.postsFor(request.id),
      }));
      print(journalPage(played.killed, await journalOf(played.killed, stage, world), style));
      print(countPage(counts, style));
      const held = played.acts.every((act) => act.held) && onceEach(counts, stage);
      print(verdict(held, style));
      return held ? exitCodes.ok : exitCodes.failed;
    } finally {
      await stage.close();
    }
  },
};

/** Once for each request, and not one POST that belongs to none of them. */
function onceEach(counts: readonly Count[], { upstream }: Stage): boolean {
  return counts.every(({ posts }) => posts === 1) && upstream.ledger.posts === counts.length;
}

async function journalOf(id: string, stage: Stage, world: World) {
  const reader = await openReader(readConfig(stage.environment, world.platform, { needsKey: false }));
  try {
    return await reader.journal(id);
  } finally {
    await reader.close();
  }
}
