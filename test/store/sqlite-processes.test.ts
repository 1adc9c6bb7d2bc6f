import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Claim } from "../../src/store/store.ts";
import { faultsIn, inFolder } from "./folders.ts";
import {
  abandoned,
  aClaim,
  accepted,
  anAnswer,
  claimed,
  completed,
  lived,
  lost,
  newSession,
  noon,
  rejected,
  step,
  successorFence,
} from "./life.ts";
import { soon, startProcess, withProcesses } from "./process.ts";

test(
  "a process that dies at any moment of making the database leaves one that the next can make",
  () =>
    inFolder(async (folder) => {
      for (const moment of ["begin", "commit", "committed"]) {
        const file = join(folder, moment, "claimcheck.db");
        const process = await startProcess();
        await expect(process.open(file, { dieAt: `migrate:${moment}` })).rejects.toMatchObject({
          code: "gone",
        });

        const store = await openSqliteStore({ file });
        await claimed(store);
        await store.close();

        expect(faultsIn(file)).toEqual([]);
      }
    }),
  30_000,
);

test(
  "two processes that claim one id at the same moment, 100 times: each time one has it",
  () =>
    inFolder((folder) =>
      withProcesses(2, async (processes) => {
        const file = join(folder, "claimcheck.db");
        await Promise.all(processes.map((one) => one.open(file)));

        for (let round = 0; round < 100; round += 1) {
          const claim = aClaim({ reserveBytes: 0 });
          const rival = (place: number): Claim => ({
            ...claim,
            owner: `owner-${place}`,
            session: newSession(),
            eventId: randomUUID(),
          });
          const at = soon();
          const outcomes = await Promise.all(
            processes.map((one, place) => one.call("claim", [rival(place)], at)),
          );

          expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["claimed", "replayed"]);
          const [winner, loser] = outcomes.map((outcome) => "record" in outcome && outcome.record);
          expect(winner).toEqual(loser);
          if (winner) await processes[0]?.call("commit", [step(winner, rejected)]);
        }
        expect(await processes[1]?.call("totals", [])).toMatchObject({
          requests: 100,
          sessions: 100,
          live: 0,
        });
      }),
    ),
  60_000,
);

test(
  "two processes that continue one session at the same moment, 100 times: each time one turn is taken",
  () =>
    inFolder((folder) =>
      withProcesses(2, async (processes) => {
        const file = join(folder, "claimcheck.db");
        await Promise.all(processes.map((one) => one.open(file)));
        const store = await openSqliteStore({ file });
        const { sessionId } = await lived(store, await claimed(store), rejected);

        for (let round = 0; round < 100; round += 1) {
          const session = { kind: "existing", id: sessionId, version: 0 } as const;
          const at = soon();
          const outcomes = await Promise.all(
            processes.map((one) => one.call("claim", [aClaim({ session })], at)),
          );

          const runs = outcomes.find((outcome) => outcome.kind === "claimed");
          const waits = outcomes.find((outcome) => outcome.kind === "blocked");
          expect(runs?.record).toMatchObject({ turn: round + 2 });
          expect(waits?.by).toEqual(runs?.record);
          if (runs) await store.commit(step(runs.record, rejected));
        }
        await store.close();
      }),
    ),
  60_000,
);

test(
  "processes that all write as fast as they can lose nothing and meet no lock",
  () =>
    inFolder((folder) =>
      withProcesses(4, async (processes) => {
        const file = join(folder, "claimcheck.db");
        await Promise.all(processes.map((one) => one.open(file)));

        await Promise.all(
          processes.map(async (one, place) => {
            for (let made = 0; made < 25; made += 1) {
              const outcome = await one.call("claim", [aClaim({ owner: `owner-${place}` })]);
              if (outcome.kind !== "claimed") throw new Error(outcome.kind);
              const responseId = `resp_${outcome.record.id}`;
              const streaming = await one.call("commit", [step(outcome.record, accepted(responseId))]);
              if (streaming.kind !== "committed") throw new Error(streaming.kind);
              await one.call("renew", [`owner-${place}`, [streaming.record], noon + made]);
              const done = await one.call("commit", [
                step(streaming.record, completed(anAnswer(responseId))),
              ]);
              expect(done.kind).toBe("committed");
            }
          }),
        );

        expect(await processes[0]?.call("totals", [])).toMatchObject({
          requests: 100,
          sessions: 100,
          live: 0,
        });
        await Promise.all(processes.map((one) => one.close()));
        expect(faultsIn(file)).toEqual([]);
      }),
    ),
  60_000,
);

test(
  "a worker that was taken over cannot write as its owner any more, but its answer still arrives",
  () =>
    inFolder((folder) =>
      withProcesses(1, async ([worker]) => {
        const file = join(folder, "claimcheck.db");
        await worker?.open(file);
        const store = await openSqliteStore({ file });
        const record = await lived(store, await claimed(store), accepted("resp_1"));
        const takeover = step(
          record,
          { type: "lease.expired" },
          { fence: successorFence(record), lease: { kind: "release" } },
        );
        await store.commit(takeover);

        const stale = await worker?.call("commit", [step(record, completed(anAnswer("resp_1", "late")))]);
        const renewal = await worker?.call("renew", ["owner-1", [record], noon + 99_000]);
        const read = await worker?.call("load", [record.id]);
        const late =
          read && (await worker?.call("commit", [step(read, completed(anAnswer("resp_1", "late")))]));

        expect(stale).toEqual({ kind: "stale" });
        expect(renewal).toEqual([{ id: record.id, held: false, version: 2 }]);
        expect(late).toMatchObject({
          kind: "committed",
          record: { state: "completed", version: 3, epoch: 2 },
        });
        expect(await store.result(record.id)).toMatchObject({ text: "late" });
        await store.close();
      }),
    ),
  30_000,
);

test(
  "what a killed process was told is there, and what it was not told is whole or not there",
  () =>
    inFolder(async (folder) => {
      const file = join(folder, "claimcheck.db");
      const store = await openSqliteStore({ file });
      for (const moment of ["claim:begin", "claim:commit", "claim:committed"] as const) {
        const worker = await startProcess();
        await worker.open(file, { dieAt: moment });
        const claim = aClaim();
        await expect(worker.call("claim", [claim])).rejects.toMatchObject({ code: "gone" });

        const record = await store.load(claim.id);
        expect(record !== null).toBe(moment === "claim:committed");
        expect(await store.journal(claim.id)).toHaveLength(record ? 1 : 0);
      }
      for (const moment of ["commit:begin", "commit:commit", "commit:committed"] as const) {
        const worker = await startProcess();
        await worker.open(file, { dieAt: moment });
        const record = await lived(store, await claimed(store), accepted());
        const answer = step(record, completed(anAnswer("resp_1")));
        await expect(worker.call("commit", [answer])).rejects.toMatchObject({ code: "gone" });

        const kept = moment === "commit:committed";
        expect((await store.load(record.id))?.state).toBe(kept ? "completed" : "streaming");
        expect((await store.result(record.id)) !== null).toBe(kept);
        expect((await store.session(record.sessionId))?.lastResponseId).toBe(kept ? "resp_1" : null);
      }
      await lived(store, await claimed(store), lost, abandoned);
      await store.close();
      expect(faultsIn(file)).toEqual([]);
    }),
  60_000,
);
