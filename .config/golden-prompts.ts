/** Writes what second opinions say upstream, for a person to read in a review. `--check` only compares. */
import { goldenPrompts } from "../test/advice/asked.ts";
import { settle } from "./generated.ts";

await settle(await goldenPrompts());
