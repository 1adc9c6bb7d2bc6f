/** The protocol's rules as data: who may write, and when what is done. A mutant is a change of one of them. */

/** What a worker read of the row when it made up its mind. */
export interface Seen {
  version: number;
  epoch: number;
  /** Which renewal of which lease. */
  lease: number;
}

export interface Row extends Seen {
  /** The snapshot as it is stored. */
  snapshot: string;
  owner: number | null;
  /** Whether the lease has run out unless it is renewed. */
  lapsed: boolean;
  /** Committed intents to send: the claim, and each retry. */
  intents: number;
  /** How often the session's pointer was moved. */
  advances: number;
}

/** By which right an event is written; see `Fence` of the store's contract. */
export type Fence = "owner" | "version" | "successor";

export interface Rules {
  /** Whether the store takes a write by `writer`, who decided on what it had `seen`. */
  takes(fence: Fence, row: Row, seen: Seen, writer: number): boolean;
  /** Whether a worker may try to write as the owner. */
  mayOwn(row: Pick<Row, "owner">, writer: number): boolean;
  /** The claim is stored before the call goes out, not after. */
  claimsFirst: boolean;
  /** Whether who takes over from a lost owner makes its call again. */
  resends: boolean;
}

const sameVersion = (row: Row, seen: Seen) => row.version === seen.version;
const sameEpoch = (row: Row, seen: Seen) => row.epoch === seen.epoch;

/** As SPEC.md has them: time decides who may try, version and epoch decide who may write. */
export const protocol: Rules = {
  takes(fence, row, seen, writer) {
    switch (fence) {
      case "owner":
        return sameVersion(row, seen) && sameEpoch(row, seen) && row.owner === writer;
      case "version":
        return sameVersion(row, seen);
      case "successor":
        return sameVersion(row, seen) && sameEpoch(row, seen) && row.lease === seen.lease;
    }
  },
  mayOwn: (row, writer) => row.owner === writer,
  claimsFirst: true,
  resends: false,
};

export interface Mutant {
  name: string;
  rules: Rules;
  /** The law that finds it, or null where another rule covers for what is missing. */
  breaks: string | null;
}

const by = (changes: Partial<Rules>): Rules => ({ ...protocol, ...changes });

export const mutants: readonly Mutant[] = [
  {
    name: "no fence at all",
    rules: by({ takes: () => true }),
    breaks: "nothing is decided on what is no longer so",
  },
  {
    name: "epoch without version",
    rules: by({ takes: (fence, row, seen) => fence === "version" || sameEpoch(row, seen) }),
    breaks: "nothing is decided on what is no longer so",
  },
  {
    name: "the call before the claim",
    rules: by({ claimsFirst: false }),
    breaks: "no call goes out before its intent is stored",
  },
  {
    name: "read again without the epoch",
    rules: by({
      takes: (fence, row, seen, writer) =>
        fence === "owner" ? sameVersion(row, seen) : protocol.takes(fence, row, seen, writer),
      mayOwn: () => true,
    }),
    breaks: "only the owner writes as the owner",
  },
  {
    name: "a take-over that does not look at the lease again",
    rules: by({
      takes: (fence, row, seen, writer) =>
        fence === "successor"
          ? sameVersion(row, seen) && sameEpoch(row, seen)
          : protocol.takes(fence, row, seen, writer),
    }),
    breaks: "nobody takes over from an owner that renewed its lease",
  },
  {
    name: "a successor that makes the call again",
    rules: by({ resends: true }),
    breaks: "at most one generation begins",
  },
  {
    // Every take-over moves the version too, and who reads again looks whether it is the owner still.
    name: "version without epoch and owner",
    rules: by({
      takes: (fence, row, seen, writer) =>
        fence === "owner" ? sameVersion(row, seen) : protocol.takes(fence, row, seen, writer),
    }),
    breaks: null,
  },
];
