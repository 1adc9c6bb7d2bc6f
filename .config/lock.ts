/** Rewrites the lock of the machine's present version. Only right while that version is unreleased. */
import { lockOf } from "../src/chart/lock.ts";
import { requestChart } from "../src/chart/request-picture.ts";
import { settle } from "./generated.ts";

const lock = lockOf(requestChart);

await settle({
  [`machines/locks/${lock.machine}.v${lock.version}.json`]: `${JSON.stringify(lock, null, 2)}\n`,
});
