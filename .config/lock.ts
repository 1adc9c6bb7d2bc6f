/** Rewrites the lock of the machine's present version. Only right while that version is unreleased. */
import { requestLock } from "../src/chart/request-lock.ts";
import { settle } from "./generated.ts";

await settle({
  [`machines/locks/${requestLock.machine}.v${requestLock.version}.json`]: `${JSON.stringify(requestLock, null, 2)}\n`,
});
