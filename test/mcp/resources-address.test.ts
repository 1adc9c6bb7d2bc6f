import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressOf,
  machineForms,
  machineUri,
  requestUri,
  sessionUri,
} from "../../src/mcp/resources/address.ts";
import { requestId, sessionId } from "./support/views.ts";

describe("a resource's address", () => {
  test("is the one it was made from", () => {
    expect(addressOf(requestUri(requestId))).toEqual({ kind: "request", id: requestId });
    expect(addressOf(sessionUri(sessionId))).toEqual({ kind: "session", idOrName: sessionId });
    for (const form of machineForms) expect(addressOf(machineUri(form))).toEqual({ kind: "machine", form });
  });

  const spellings: [string, object][] = [
    [`claimcheck://requests/${requestId.toUpperCase()}`, { kind: "request", id: requestId }],
    [`CLAIMCHECK://Requests/${requestId}`, { kind: "request", id: requestId }],
    [`claimcheck://requests/%31${requestId.slice(1)}`, { kind: "request", id: requestId }],
    [sessionUri("Größe: 2").replace("%3A", ""), { kind: "session", idOrName: "Größe 2" }],
    ["claimcheck://sessions/%E5%A4%A9 %E6%B0%97", { kind: "session", idOrName: "天 気" }],
    ["claimcheck://machines/request.mmd", { kind: "machine", form: "mmd" }],
  ];
  test.each(spellings)("may be spelled %s", (uri, address) => {
    expect(addressOf(uri)).toEqual(address);
  });

  test("holds the longest name a session can have", () => {
    const name = "𝒜".repeat(32);
    expect(addressOf(sessionUri(name))).toEqual({ kind: "session", idOrName: name });
  });

  test.each([
    "",
    "claimcheck:",
    "claimcheck://",
    "claimcheck://requests",
    "claimcheck://requests/",
    "claimcheck://requests/{id}",
    "claimcheck://requests/latest",
    `claimcheck://requests/${requestId}/`,
    `claimcheck://requests/${requestId}/journal`,
    `claimcheck://requests/${requestId}?text=1`,
    `claimcheck://requests/${requestId}#text`,
    `claimcheck://requests//${requestId}`,
    `claimcheck://requests/../requests/${requestId}`,
    `claimcheck://requests/${requestId}%00`,
    `claimcheck://requests/${requestId}%0A`,
    `claimcheck://requests/${requestId}\n`,
    ` claimcheck://requests/${requestId}`,
    `claimcheck:/requests/${requestId}`,
    `claimcheck://x@requests/${requestId}`,
    `claimcheck://requests:80/${requestId}`,
    `https://requests/${requestId}`,
    `file:///requests/${requestId}`,
    "claimcheck://requests/%",
    "claimcheck://requests/%E0%A4%A",
    "claimcheck://sessions/%C0%AF",
    "claimcheck://sessions/..",
    "claimcheck://sessions/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "claimcheck://sessions/a%2Fb",
    "claimcheck://sessions/a\\b",
    "claimcheck://sessions/%00",
    `claimcheck://sessions/${"a".repeat(65)}`,
    "claimcheck://machines/request.png",
    "claimcheck://machines/request.svg/../../locks",
    "claimcheck://machines/locks%2Frequest",
    "claimcheck://machines/__proto__",
    "claimcheck://constructor/prototype",
    `claimcheck://sessions/${"%41".repeat(1_000_000)}`,
  ])("is not %.60s", (uri) => {
    expect(addressOf(uri)).toBeUndefined();
  });

  test("is nothing but an id, a name or a form, whatever is tried", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "..",
        "%2e",
        "%2F",
        "/",
        "%",
        "%zz",
        "?",
        "#",
        "\u0000",
        requestId,
        "request",
        ".svg",
        "\\",
      ),
    );
    const uri = fc
      .tuple(
        fc.constantFrom("claimcheck://", "claimcheck:", "CLAIMCHECK://", "file://", ""),
        fc.constantFrom("requests/", "sessions/", "machines/", "requests", "/", ""),
        fc.array(part, { maxLength: 6 }),
      )
      .map(([scheme, group, parts]) => scheme + group + parts.join(""));
    fc.assert(
      fc.property(uri, (text) => {
        const address = addressOf(text);
        if (address?.kind === "request") expect(address.id).toMatch(/^[0-9a-f-]{36}$/);
        if (address?.kind === "session")
          expect(address.idOrName).toMatch(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u);
        if (address?.kind === "machine") expect(machineForms).toContain(address.form);
      }),
      { numRuns: 3_000 },
    );
  });
});
