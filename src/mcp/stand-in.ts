/**
 * Some arguments never reach a tool as they were sent: what is no object the SDK refuses first, in prose without a
 * code, and a field named `__proto__` it drops. Handed on under a name that no field has, they get the same
 * structured error as any other fault.
 */
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";

const standIn = "\u0000arguments";

/** A tools/call whose arguments are of another kind, with an object in their place; any other message as it is. */
export function withObjectArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return message;
  const given = message.params?.["arguments"];
  if (given === undefined || (isObject(given) && !Object.hasOwn(given, "__proto__"))) return message;
  return { ...message, params: { ...message.params, arguments: { [standIn]: given } } };
}

/** What the caller really sent. */
export function originalArguments(given: unknown): unknown {
  return isObject(given) && Object.hasOwn(given, standIn) ? Reflect.get(given, standIn) : given;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
