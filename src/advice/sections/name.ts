/** `Key Concerns`, `key_concerns` and `keyConcerns` are one name. */
export const nameOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");

/** A section as an answer names it, and what it says there. */
export interface Part {
  name: string;
  value: unknown;
}
