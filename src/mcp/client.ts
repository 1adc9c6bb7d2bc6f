/** What the client behind a request says of itself: since 2026-07-28 with every request, before that once, when it connected. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ProtocolEra,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { tasksExtension } from "./tasks/extension.ts";

export interface Client {
  era: ProtocolEra;
  /** Undefined where it did not say. */
  name: string | undefined;
  /** It can put a form before the person who uses it. */
  showsForms: boolean;
  /** It takes a task in place of a result. */
  takesTasks: boolean;
}

export function clientBehind(
  server: Server,
  era: ProtocolEra,
  { envelope }: ServerContext["mcpReq"],
): Client {
  if (era === "legacy") {
    return {
      era,
      name: server.getClientVersion()?.name,
      showsForms: showsForms(server.getClientCapabilities()?.elicitation),
      // The extension is of 2026-07-28; the tasks of 2025-11-25 were another thing, and experimental.
      takesTasks: false,
    };
  }
  const said = envelopeShape.parse(envelope ?? {});
  const capabilities = said[CLIENT_CAPABILITIES_META_KEY];
  return {
    era,
    name: said[CLIENT_INFO_META_KEY]?.name,
    showsForms: showsForms(capabilities?.elicitation),
    takesTasks: capabilities?.extensions?.[tasksExtension] !== undefined,
  };
}

const anObject = z.looseObject({}).optional().catch(undefined);

/** All that is read of it; what is malformed was not said. */
const envelopeShape = z.object({
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: z
    .object({
      elicitation: z.object({ form: anObject, url: anObject }).optional().catch(undefined),
      extensions: z
        .object({ [tasksExtension]: anObject })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** An empty object is how clients said it before there were modes (specification 2025-06-18, client/elicitation). */
function showsForms(
  elicitation: { form?: object | undefined; url?: object | undefined } | undefined,
): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
