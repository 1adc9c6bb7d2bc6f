/** Which host a client belongs to, and how long its calls wait. */
import { type HostName, hostNames, hosts } from "./table.ts";

/** @param clientName what the client calls itself, undefined when it did not say */
export function hostOf(clientName: string | undefined): HostName {
  return hostNames.find((host) => hosts[host].client?.pattern.test(clientName ?? "")) ?? "generic";
}

/**
 * Milliseconds a call waits by default.
 *
 * @param clientName what the client calls itself, undefined when it did not say
 * @param overrideMs the user's own default for every host
 */
export function defaultWaitMs(clientName: string | undefined, overrideMs: number | undefined): number {
  return overrideMs ?? hosts[hostOf(clientName)].waitMs;
}
