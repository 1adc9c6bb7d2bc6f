/** Names are the same when they differ only in case or in how their characters are composed. */
export function nameKeyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
