import { storeConformance } from "./conformance.ts";
import { makeSqliteDatabase } from "./folders.ts";

storeConformance("SQLite", makeSqliteDatabase);
