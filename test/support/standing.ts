/** Ways of standing still in a call, given the id of a request that is held and whose message is "Held." */
export const standing: [string, (id: string) => [tool: string, args: Record<string, unknown>]][] = [
  ["chat", (id) => ["chat", { message: "Held.", request_id: id }]],
  ["answers wait", (id) => ["answers", { action: "wait", request_id: id }]],
  ["answers read", (id) => ["answers", { action: "read", request_id: id }]],
  ["request_status recover", (id) => ["request_status", { action: "recover", request_id: id }]],
];
