/** Upstream sent one event or one document larger than we are willing to hold. */
export class Oversized extends Error {
  constructor(limit: number) {
    super(
      `Upstream sent more than ${limit} bytes in one piece; raise CLAIMCHECK_MAX_RESULT_BYTES to accept more.`,
    );
    this.name = "Oversized";
  }
}
