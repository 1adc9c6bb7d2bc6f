/** The request machine as its lock should have it today. */
import * as z from "zod";
import { storedSnapshotSchema } from "../../machines/snapshots.ts";
import { lockOf } from "./lock.ts";
import { requestChart } from "./request-picture.ts";

export const requestSnapshotSchema = z.toJSONSchema(storedSnapshotSchema);

export const requestLock = lockOf(requestChart, requestSnapshotSchema);
