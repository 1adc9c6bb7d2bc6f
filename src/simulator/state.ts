import type { LedgerWriter } from "./ledger.ts";
import type { Book } from "./model/book.ts";
import type { Workplace } from "./model/generation.ts";
import type { LaterRules } from "./script/later-calls.ts";
import type { Rules } from "./script/rules.ts";

/** Everything a handler may read or change. */
export interface State extends Workplace {
  readonly book: Book;
  readonly rules: Rules;
  readonly laterRules: LaterRules;
  readonly ledger: LedgerWriter;
  /** Whether every call waits until somebody lets it be answered. */
  readonly byHand: boolean;
}
