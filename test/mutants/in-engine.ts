/** Wrong deeds. */
import type { Mutant } from "./mutants.ts";

export const engineMutants: readonly Mutant[] = [
  {
    name: "sent-again-on-recovery",
    says: "Whoever recovers a request opens the paid stream again.",
    patches: [
      {
        file: "src/engine/perform.ts",
        find: `        collector.ensure(record);
        break;`,
        replace: `        collector.ensure(record);
        sendAgain(record);
        break;`,
      },
      {
        file: "src/engine/perform.ts",
        find: `  async function awaitRetry(`,
        replace: `  function sendAgain({ id: requestId, settings, ...record }: RequestRecord) {
    const provider = providers.get(record.provider);
    const call = { requestId, message: "Again.", instructions: null, previousResponseId: null, transcript: [], format: null, settings };
    const reports = provider?.send(call, new AbortController().signal)[Symbol.asyncIterator]();
    if (reports) desk.track(reports.next());
  }

  async function awaitRetry(`,
      },
    ],
  },
  {
    name: "sent-before-claim",
    says: "The paid call leaves before the claim is on disk.",
    patches: [
      {
        file: "src/engine/claims.ts",
        find: `        const outcome = await store.claim({ ...prepared.claim, patienceMs });`,
        replace: `        const stop = new AbortController();
        const reports = parts.providers
          .get(prepared.claim.provider)
          ?.send(prepared.call, stop.signal)
          [Symbol.asyncIterator]();
        Object.assign(prepared.call, { early: { stop, reports, first: reports?.next() } });
        const outcome = await store.claim({ ...prepared.claim, patienceMs });`,
      },
      {
        file: "src/engine/streams.ts",
        find: `follow(job, record, provider.send(call, signal)));`,
        replace: `follow(job, record, begun(call, signal) ?? provider.send(call, signal)),
    );`,
      },
      {
        file: "src/engine/streams.ts",
        find: `/** A provider never throws for what upstream does;`,
        replace: `interface Early {
  stop: AbortController;
  reports: AsyncIterator<StreamReport>;
  first: Promise<IteratorResult<StreamReport>>;
}

function begun(call: PaidCall & { early?: Early }, signal: AbortSignal): AsyncIterable<StreamReport> | null {
  const { early } = call;
  if (!early) return null;
  delete call.early;
  signal.addEventListener("abort", () => early.stop.abort());
  return (async function* () {
    for (let one = await early.first; !one.done; one = await early.reports.next()) yield one.value;
  })();
}

/** A provider never throws for what upstream does;`,
      },
    ],
  },
  {
    name: "retried-before-commit",
    says: "Another attempt leaves before it is on disk that it does.",
    patches: [
      {
        file: "src/engine/act.ts",
        find: `    const sent = await door.send(id, event, known);`,
        replace: `    const early = event.type === "retry.due" ? desk.jobs.get(id)?.record : undefined;
    if (early) perform(early, [{ type: "openStream" }]);
    const sent = await door.send(id, event, known);`,
      },
      {
        file: "src/engine/act.ts",
        find: `perform(sent.record, sent.effects);`,
        replace: `perform(sent.record, early ? [] : sent.effects);`,
      },
    ],
  },
  {
    name: "id-never-committed",
    says: "The response id is not written down while the answer arrives.",
    patches: [
      {
        file: "src/engine/streams.ts",
        find: `        job.background = report.echo.background === true;
        return report;`,
        replace: `        job.background = report.echo.background === true;
        return null;`,
      },
    ],
  },
  {
    name: "stale-owner-heard",
    says: "Who lost the lease may still write what only its holder may.",
    patches: [
      {
        file: "src/engine/door.ts",
        find: `return mine ? owned : null;`,
        replace: `return mine ? owned : { kind: "version", version };`,
      },
    ],
  },
  {
    name: "lease-never-renewed",
    says: "An owner does not renew its leases.",
    patches: [
      {
        file: "src/engine/background.ts",
        find: `      stops.push(clock.every(heartbeatMs, single(leases.renew)));\n`,
        replace: "",
      },
    ],
  },
  {
    name: "taken-over-on-sight",
    says: "A living owner's work is taken over without waiting its lease out.",
    patches: [
      {
        file: "src/engine/leases.ts",
        find: `if (!identity.isGone(record.owner) && !seenForATerm(record)) return;`,
        replace: `if (!identity.isGone(record.owner) && seenForATerm(record)) return;`,
      },
    ],
  },
  {
    name: "dead-never-replaced",
    says: "The work of a dead owner is taken over by nobody.",
    patches: [
      {
        file: "src/engine/leases.ts",
        find: `if (!identity.isGone(record.owner) && !seenForATerm(record)) return;`,
        replace: `if (identity.isGone(record.owner) || !seenForATerm(record)) return;`,
      },
    ],
  },
  {
    name: "pruned-means-again",
    says: "Who asks again for an answer that was pruned has it generated anew.",
    patches: [
      {
        file: "src/engine/create.ts",
        find: `    const claimed = await claim(asked, waiter);`,
        replace: `    let claimed = await claim(asked, waiter);
    if (claimed.record.prunedAt !== null) claimed = await claim({ ...asked, requestId: undefined }, waiter);`,
      },
    ],
  },
  {
    name: "pruned-means-empty",
    says: "An answer that was pruned is handed out as one without text.",
    patches: [
      {
        file: "src/engine/view.ts",
        find: `status: pruned ? "result_pruned" : record.state,`,
        replace: `status: record.state,`,
      },
    ],
  },
  {
    name: "not-collected-late",
    says: "After the deadline an answer that exists upstream is not collected any more.",
    patches: [
      {
        file: "src/engine/collector.ts",
        find: `(young || waiters.has(record.id));`,
        replace: `clock.now() < snapshotOf(record).context.deadlineAt && (young || waiters.has(record.id));`,
      },
    ],
  },
  {
    name: "late-cost-untold",
    says: "That an abandoned request was answered and billed is written down nowhere.",
    patches: [
      {
        file: "src/engine/act.ts",
        find: `if (outcome === null) return;`,
        replace: `if (outcome === null || outcome.usage !== undefined) return;`,
      },
    ],
  },
  {
    name: "other-endpoint-asked",
    says: "A response is asked for at another endpoint, or with another key, than made it.",
    patches: [
      {
        file: "src/engine/collector.ts",
        find: `return provider?.fingerprint === record.endpoint ? provider : null;`,
        replace: `return provider ?? null;`,
      },
    ],
  },
];
