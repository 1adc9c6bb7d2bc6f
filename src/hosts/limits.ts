/** A host's limits in words. */
import { type Host, type HostName, hosts } from "./table.ts";

/** One sentence or two; undefined where no limit of the host is known. */
export function limitNote(host: HostName): string | undefined {
  const { title, callLimitMs, raisedBy } = hosts[host];
  if (callLimitMs === null) return undefined;
  const ends = `${title} ends a call after ${inSeconds(callLimitMs)}${unlessProgress(hosts[host])}.`;
  const raise = raisedBy === null ? "" : ` ${raisedBy.replaceAll("`", "")} can raise that.`;
  return `${ends}${raise} A call that does not say how long it waits returns a receipt before then.`;
}

export const inSeconds = (ms: number) => `${(ms / 1_000).toLocaleString("en-US")} s`;

function unlessProgress({ progressExtends }: Host): string {
  return progressExtends === "yes" ? " without progress" : "";
}
