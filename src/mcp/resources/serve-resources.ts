/** Lists resources, reads them, and lets clients of the handshake era subscribe to them. */
import type { ProtocolEra, Server } from "@modelcontextprotocol/server";
import { noResource, orRefusal } from "../refusal.ts";
import type { CallParts } from "../tool-call.ts";
import { type Address, addressOf, machineForms, machineUri } from "./address.ts";
import { createFollowers } from "./followers.ts";
import { resourcePage } from "./list.ts";
import { readResource } from "./read.ts";
import { requestTemplate, resourceTemplates, sessionTemplate } from "./templates.ts";

export function serveResources(server: Server, parts: CallParts, era: ProtocolEra): void {
  server.setRequestHandler("resources/list", ({ params }) =>
    orRefusal(parts, { name: "resources/list" }, async () =>
      resourcePage(await parts.engine(), params?.cursor),
    ),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    orRefusal(parts, { name: "resources/read", uri }, () => {
      const address = ours(uri);
      parts.log("info", "resource.read", { kind: address.kind });
      return readResource(uri, address, parts.engine);
    }),
  );
  // Listeners of the modern era are served where the connection enters: see listeners.ts.
  if (era === "legacy") serveSubscriptions(server, parts);
}

/** Declared by `resources.subscribe`; each resource is followed under its own URI, as the client spells it. */
function serveSubscriptions(server: Server, parts: CallParts) {
  const followers = createFollowers(parts);
  const tell = (uri: string) => void server.sendResourceUpdated({ uri }).catch(() => {});
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (ours(uri).kind !== "machine") await followers.follow(uri, [uri], tell);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    followers.letGo(uri);
    return {};
  });
  server.onclose = followers.close;
}

function ours(uri: string): Address {
  const address = addressOf(uri);
  if (address !== undefined) return address;
  const machine = machineForms.map(machineUri).join(", ");
  throw noResource(
    uri,
    `There is no such resource. There are ${requestTemplate} with a request_id (a UUID), ${sessionTemplate} with a session_id or name, and ${machine}. sessions {"operation":"list"} shows the sessions, answers {"action":"inbox"} the requests that need somebody.`,
  );
}
