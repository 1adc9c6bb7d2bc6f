/** Keys in blocks of their own: PEM (RFC 7468), OpenSSH, PGP, PuTTY, and the one-line keys of SSH. */
import type { Secret } from "./secret.ts";

const marker = /-----(BEGIN|END) ([A-Z0-9][A-Z0-9 ]{0,60})-----/g;

/** Enough of base64 to be a key and not a word in prose. */
const bodyBegins =
  /^(?:\\+[nrt]|[\s>|+\-#*"',;\\])*(?:[A-Za-z-]{1,30}: ?[^\n\\]{0,200}(?:\\+[nrt]|[\s>|+\-#*"',;\\])+)*[A-Za-z0-9+/=]{16}/;
/** Base64 in lines, however they are set off: by line ends, escaped ones, signs of a quotation or of a diff. */
const bodyGoesOn = /(?:\\+[nrt]|[\s>|+\-#*"',;\\])*[A-Za-z0-9+/=]{4,}/y;

/** Longest look ahead for the beginning of a body. */
const lookAhead = 1_024;

interface Mark {
  begins: boolean;
  label: string;
  start: number;
  end: number;
}

export function* findBlocks(text: string): Iterable<Secret> {
  const marks = [...text.matchAll(marker)].map(markOf);
  for (const [index, mark] of marks.entries()) {
    if (!mark.begins || !bodyBegins.test(text.slice(mark.end, mark.end + lookAhead))) continue;
    const next = marks[index + 1];
    const end =
      next !== undefined && !next.begins && next.label === mark.label
        ? next.end
        : endOfBody(text, mark.end, next?.start ?? text.length);
    yield { start: mark.start, end, kind: kindOf(mark.label) };
  }
  yield* findPutty(text);
  yield* findSshLines(text);
}

function markOf(match: RegExpExecArray): Mark {
  const [whole, word, label = ""] = match;
  return { begins: word === "BEGIN", label, start: match.index, end: match.index + whole.length };
}

function kindOf(label: string): Secret["kind"] {
  if (label.startsWith("OPENSSH")) return "ssh_key";
  return label.includes("PRIVATE KEY") ? "private_key" : "pem_block";
}

/** A block that was cut off ends where its base64 does. */
function endOfBody(text: string, from: number, limit: number): number {
  let end = from;
  bodyGoesOn.lastIndex = from;
  while (bodyGoesOn.test(text) && bodyGoesOn.lastIndex <= limit) {
    end = bodyGoesOn.lastIndex;
  }
  return end;
}

const putty = /Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?){1,200})/g;

function* findPutty(text: string): Iterable<Secret> {
  if (!text.includes("PuTTY-User-Key-File-")) return;
  for (const match of text.matchAll(putty)) {
    const [whole, body = ""] = match;
    const start = match.index + whole.length - body.length;
    yield { start, end: start + body.trimEnd().length, kind: "ssh_key" };
  }
}

const sshLine =
  /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) (AAAA[A-Za-z0-9+/]{40,}={0,3})/g;

function* findSshLines(text: string): Iterable<Secret> {
  for (const match of text.matchAll(sshLine)) {
    const [whole, key = ""] = match;
    yield {
      start: match.index + whole.length - key.length,
      end: match.index + whole.length,
      kind: "ssh_key",
    };
  }
}
