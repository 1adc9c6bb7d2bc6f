/** The data directory: whether claimcheck can live there, and whether only its user can. */
import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { type Finding, fail, ok, skip, warn } from "./check.ts";
import { isLink, nearestExisting, obstacleTo, placeOf, whyNot } from "./place.ts";
import { elsewhere, listed, shellWord } from "./words.ts";

export function checkDirectory(directory: string): Finding {
  const place = placeOf(directory);
  if (place === null) return isLink(directory) ? leadsNowhere(directory) : notYetThere(directory);
  if (typeof place === "string") return unreachable(directory, place);
  if (!place.isDirectory()) return fail(`${directory} is not a directory.`, `Move it away, or ${elsewhere}.`);
  const obstacle = obstacleTo(directory, "directory");
  return obstacle === null ? ok(`${directory} can be read and written.`) : unwritable(directory, obstacle);
}

function notYetThere(directory: string): Finding {
  const above = nearestExisting(dirname(directory));
  const place = placeOf(above);
  if (place === null || typeof place === "string") return unreachable(above, String(place));
  if (!place.isDirectory())
    return fail(`${directory} lies below ${above}, a file.`, `Move that away, or ${elsewhere}.`);
  const obstacle = obstacleTo(above, "directory");
  return obstacle === null
    ? ok(`${directory} is not there yet; the first call makes it.`)
    : unwritable(above, obstacle);
}

function leadsNowhere(directory: string): Finding {
  return fail(`${directory} is a link to something that is not there.`, `Mend the link, or ${elsewhere}.`);
}

function unreachable(path: string, code: string): Finding {
  return fail(`${path} cannot be looked at (${code}).`, `Check the path, or ${elsewhere}.`);
}

function unwritable(directory: string, obstacle: string): Finding {
  return fail(
    `${directory} cannot be written (${whyNot(obstacle)}).`,
    `Make it writable for this user, or ${elsewhere}.`,
  );
}

const others = 0o077;

/** @param user numeric id of who asks; undefined where the system has none, and no modes either */
export function checkPrivacy(directory: string, file: string, user: number | undefined): Finding {
  if (user === undefined) return skip("This system has no file modes; its own access rules hold.");
  const there = [directory, file, `${file}-wal`, `${file}-shm`].flatMap((path) => {
    const place = placeOf(path);
    const isOurs = (it: Stats) => (path === directory ? it.isDirectory() : it.isFile());
    return place === null || typeof place === "string" || !isOurs(place)
      ? []
      : [{ path, mode: place.mode & 0o777, owner: place.uid }];
  });
  const strange = there.find(({ owner }) => owner !== user);
  if (strange !== undefined)
    return warn(
      `${strange.path} belongs to user ${strange.owner}, and this is user ${user}. Files made by one of them can shut the other out.`,
      "Run claimcheck as one user only.",
    );
  const open = there.filter(({ mode }) => (mode & others) !== 0);
  if (open.length > 0) return tooOpen(open, directory);
  return there.length === 0
    ? ok("Nothing there yet that others could read.")
    : ok("Nobody else can read what is stored.");
}

function tooOpen(open: readonly { path: string; mode: number }[], directory: string): Finding {
  const said = open.map(({ path, mode }) => `${path} is ${mode.toString(8).padStart(4, "0")}`);
  const [folders, files] = [
    open.filter(({ path }) => path === directory),
    open.filter(({ path }) => path !== directory),
  ];
  const chmod = (mode: string, what: typeof open) =>
    what.length === 0 ? [] : [`chmod ${mode} ${what.map(({ path }) => shellWord(path)).join(" ")}`];
  return warn(
    `Others on this machine get in: ${listed(said)}.`,
    ["Close it to them:", ...chmod("700", folders), ...chmod("600", files)].join("\n"),
  );
}
