/** Whether upstream keeps responses and works on without a connection: read off the newest one that was paid for. */
import { duration } from "../chart/rail.ts";
import { snapshotOf } from "../engine/snapshot.ts";
import type { RequestRecord } from "../store/store.ts";
import { type Finding, ok, skip, warn } from "./check.ts";
import type { Sight } from "./stored.ts";

const unprobed =
  "Whether upstream stores responses and runs them in the background cannot be probed without a paid call. The first answer shows it.";

/** @param endpoint mark of the present base URL and key; null where there is no key */
export function checkBackground(sight: Sight, endpoint: string | null, now: number): Finding {
  const newest = sight.kind === "seen" ? sight.stored.newest : [];
  const told = newest.find((request) => request.endpoint === endpoint && handleOf(request) !== null);
  const handle = told === undefined ? null : handleOf(told);
  if (told === undefined || handle === null) return skip(unprobed);
  const evidence = `of ${duration(Math.max(0, now - told.createdAt))} ago`;
  if (handle.storeIgnored)
    return warn(
      `The newest response (${evidence}) was not stored, though that was asked for: a lost connection can lose an answer.`,
      "Nothing can be done about it here; use an upstream that stores responses where that matters.",
    );
  if (!told.settings.background)
    return ok(`Stored, by the newest response (${evidence}); it was not asked to run in the background.`);
  return handle.background
    ? ok(`Stored and run in the background, by what upstream said of the newest response (${evidence}).`)
    : warn(
        `The newest response (${evidence}) did not run in the background, though that was asked for: a cut connection can end it.`,
        "Nothing can be done about it here; use an upstream that has background responses where that matters.",
      );
}

function handleOf(request: RequestRecord) {
  try {
    return snapshotOf(request).context.upstream;
  } catch {
    return null;
  }
}
