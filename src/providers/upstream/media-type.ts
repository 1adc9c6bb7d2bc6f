export function isJson(headers: Headers): boolean {
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

export function isEventStream(headers: Headers): boolean {
  return headers.get("content-type")?.trim().toLowerCase().startsWith("text/event-stream") ?? false;
}
