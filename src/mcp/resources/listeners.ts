/**
 * Listeners of 2026-07-28. The SDK serves `subscriptions/listen` where the connection enters, before any server sees
 * it: it acknowledges, and forgets a listener that cancels. Which resources to watch it tells nobody. So this stands
 * between it and the wire, reads in the acknowledgement who follows what, and tells them of changes.
 */
import {
  isJSONRPCNotification,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { addressOf } from "./address.ts";
import type { FollowerId, Followers } from "./followers.ts";

const listenerId = z.union([z.string(), z.number()]);

const acknowledged = z.looseObject({
  _meta: z.looseObject({ [SUBSCRIPTION_ID_META_KEY]: listenerId }),
  notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()) }),
});

const cancelled = z.looseObject({ requestId: listenerId });

/** `wire`, with those who listen on it told of changes. */
export function withListeners(wire: Transport, followers: Followers): Transport {
  const put = (message: JSONRPCMessage) => wire.send(message).catch(() => {});

  const listened: Transport = {
    start: () => {
      wire.onmessage = (message, extra) => {
        const id = cancelledBy(message);
        if (id !== undefined) followers.letGo(id);
        listened.onmessage?.(message, extra);
      };
      wire.onclose = () => {
        followers.close();
        listened.onclose?.();
      };
      wire.onerror = (error) => listened.onerror?.(error);
      return wire.start();
    },
    send: async (message, options) => {
      const listener = listenerIn(message);
      // Not waited for: the SDK reads no further message before this one is out.
      if (listener !== undefined && listener.uris.length > 0) void serve(listener);
      else await wire.send(listener?.acknowledgement ?? message, options);
    },
    close: () => wire.close(),
  };

  /** Acknowledged once changes are sure to be noticed: whoever reads after that misses none. */
  async function serve({ id, uris, acknowledgement }: Listener) {
    try {
      const stillThere = await followers.follow(id, uris, (uri) => void put(updated(id, uri)));
      if (stillThere) await put(acknowledgement);
    } catch (error) {
      // To the SDK as if the listener had cancelled, to the listener why.
      listened.onmessage?.(cancelling(id));
      await put({ jsonrpc: "2.0", id, error: errorOf(error) });
    }
  }

  return listened;
}

interface Listener {
  id: FollowerId;
  /** What it follows; what never changes is not among them. */
  uris: string[];
  /** "The subset of notifications the server agreed to honor": the SDK repeats any URI, here only ours are. */
  acknowledgement: JSONRPCMessage;
}

function listenerIn(message: JSONRPCMessage): Listener | undefined {
  if (!isJSONRPCNotification(message)) return undefined;
  if (message.method !== "notifications/subscriptions/acknowledged") return undefined;
  const { success, data: params } = acknowledged.safeParse(message.params);
  if (!success) return undefined;
  const { resourceSubscriptions, ...others } = params.notifications;
  const ours = resourceSubscriptions.filter((uri) => addressOf(uri) !== undefined);
  const notifications = ours.length === 0 ? others : { ...others, resourceSubscriptions: ours };
  return {
    id: params._meta[SUBSCRIPTION_ID_META_KEY],
    uris: ours.filter((uri) => addressOf(uri)?.kind !== "machine"),
    acknowledgement: { ...message, params: { ...params, notifications } },
  };
}

function cancelledBy(message: JSONRPCMessage): FollowerId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return undefined;
  return cancelled.safeParse(message.params).data?.requestId;
}

function cancelling(requestId: FollowerId): JSONRPCMessage {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

function updated(id: FollowerId, uri: string): JSONRPCMessage {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri, _meta } };
}

function errorOf(error: unknown) {
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message: "Failed." };
  const { code, message, data } = error;
  return { code, message, data };
}
