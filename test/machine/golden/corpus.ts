/**
 * What a version may leave in a database, as few of it as show all that the machine can do: the places where a
 * request can stand, as stored, and journals that take every transition. Chosen from all shortest paths of every
 * profile, the same ones each time.
 */
import { begin } from "../../../machines/decide.ts";
import type { RequestInput } from "../../../machines/request.ts";
import { machineVersion, persist, type StoredSnapshot } from "../../../machines/snapshots.ts";
import { profiles } from "../samples.ts";
import { shortestPaths, type WalkedStep } from "../walk.ts";
import { encoded, type GoldenJournals, type GoldenSnapshots, goldenPaths } from "./files.ts";
import { recordedLife } from "./recorded.ts";

type Path = readonly WalkedStep[];

/** The golden files of the machine's present version: their contents by path from the project's root. */
export function corpus(): Record<string, GoldenSnapshots | GoldenJournals> {
  const files = goldenPaths(machineVersion);
  const walked = Object.entries(profiles).map(
    ([profile, input]) => [profile, input, shortestPaths(input)] as const,
  );
  return {
    [files.snapshots]: {
      version: machineVersion,
      snapshots: telling(walked.flatMap(([, input, paths]) => placesOn(input, paths))),
    },
    [files.journals]: {
      version: machineVersion,
      ...encoded(
        walked.flatMap(([profile, input, paths]) =>
          covering(paths).map((path) => ({ profile, rows: recordedLife(input, eventsOf(path)).rows })),
        ),
      ),
    },
  };
}

function placesOn(input: RequestInput, paths: readonly Path[]): StoredSnapshot[] {
  return [persist(begin(input).next), ...paths.flat().map(({ after }) => persist(after))];
}

/** Those that show a fact in a state, or two that belong together, which none before them did. */
function telling(places: readonly StoredSnapshot[]): StoredSnapshot[] {
  const told = new Set<string>();
  return places.filter((place) => {
    const news = factsOf(place).filter((fact) => !told.has(fact));
    for (const fact of news) told.add(fact);
    return news.length > 0;
  });
}

/** What the machine may go by later, each as text; times count only as there or not. */
function factsOf({ value, context }: StoredSnapshot): string[] {
  const { attempts, upstream, cancel, missingSince, failure, reason, lostTo } = context;
  const { background, retrievable, storeIgnored, contextIgnored } = upstream ?? {};
  const facts = {
    call: [context.background, context.retrievable, context.predecessor !== null],
    attempts,
    response: [background, retrievable, storeIgnored, contextIgnored],
    wish: [cancel?.asking, background, retrievable],
    missing: [missingSince !== null, background],
    failure: failure?.code,
    reason,
    lostTo,
  };
  return Object.entries(facts).map((fact) => JSON.stringify([value, ...fact]));
}

/** Paths that together take every transition that any of them takes: always the one that takes most new ones. */
function covering(paths: readonly Path[]): Path[] {
  const left = new Set(paths.flat().flatMap(({ took }) => took ?? []));
  const chosen: Path[] = [];
  while (left.size > 0) {
    const best = bestOf(paths, left);
    for (const { took } of best) if (took !== null) left.delete(took);
    chosen.push(best);
  }
  return chosen;
}

/** The first of the shortest of those that take most of what is left. */
function bestOf(paths: readonly Path[], left: ReadonlySet<string>): Path {
  const newOn = (path: Path) =>
    new Set(path.flatMap(({ took }) => (took !== null && left.has(took) ? took : [])));
  const ranked = paths.map((path) => ({ path, worth: newOn(path).size }));
  const [best] = ranked.sort((one, other) => other.worth - one.worth || one.path.length - other.path.length);
  if (best === undefined) throw new Error("There is no path.");
  return best.path;
}

const eventsOf = (path: Path) => path.map(({ event }) => event);
