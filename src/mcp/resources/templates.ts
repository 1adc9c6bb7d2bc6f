import type { ResourceTemplateType } from "@modelcontextprotocol/server";

export const requestTemplate = "claimcheck://requests/{id}";
export const sessionTemplate = "claimcheck://sessions/{id}";

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: requestTemplate,
    name: "request",
    title: "A request",
    description:
      "How one request stands and everything that happened to it, by its request_id. Never the answer's text: the tool answers gives that.",
    mimeType: "application/json",
  },
  {
    uriTemplate: sessionTemplate,
    name: "session",
    title: "A session",
    description:
      "One conversation by its session_id or name: defaults, counts and its latest requests. No instructions, no answers.",
    mimeType: "application/json",
  },
];
