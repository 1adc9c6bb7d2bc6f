/** The URIs of resources, read strictly: what is no address of ours is nothing, and nothing in it is ever a path. */
import { requestId, sessionRef } from "../../contract/fields.ts";

/** What comes after `claimcheck://machines/request.`; without an ending it is the first of them. */
export const machineForms = ["mmd", "svg", "json"] as const;
export type MachineForm = (typeof machineForms)[number];

export type Address =
  | { kind: "request"; id: string }
  | { kind: "session"; idOrName: string }
  | { kind: "machine"; form: MachineForm };

/** Scheme and authority are without case (RFC 3986 §3.1, §3.2.2). */
const pattern = /^claimcheck:\/\/(requests|sessions|machines)\/([^/?#]+)$/i;

export const requestUri = (id: string) => `claimcheck://requests/${id}`;
export const sessionUri = (idOrName: string) => `claimcheck://sessions/${encodeURIComponent(idOrName)}`;
export const machineUri = (form: MachineForm) =>
  `claimcheck://machines/request${form === "mmd" ? "" : `.${form}`}`;

export function addressOf(uri: string): Address | undefined {
  const [, group, encoded] = pattern.exec(uri) ?? [];
  const name = encoded === undefined ? undefined : decoded(encoded);
  if (group === undefined || name === undefined) return undefined;
  switch (group.toLowerCase()) {
    case "requests":
      return requestCalled(name);
    case "sessions":
      return sessionCalled(name);
    default:
      return machineCalled(name);
  }
}

function requestCalled(name: string): Address | undefined {
  const { success, data } = requestId.safeParse(name);
  return success ? { kind: "request", id: data } : undefined;
}

function sessionCalled(name: string): Address | undefined {
  const { success, data } = sessionRef.safeParse(name);
  return success ? { kind: "session", idOrName: data } : undefined;
}

function machineCalled(name: string): Address | undefined {
  const form = name === "request" ? "mmd" : machineForms.find((ending) => name === `request.${ending}`);
  return form === undefined ? undefined : { kind: "machine", form };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
