/** Writes server.json and the generated parts of the documents anew. `--check` only compares. */
import { refilled } from "./docs/refill.ts";
import { serverJson } from "./docs/server-json.ts";
import { formatted, present, settle } from "./generated.ts";

const documents = ["README.md", "SPEC.md"];

const anew = documents.map(async (path) => [path, refilled(await present(path))] as const);

await settle({
  ...Object.fromEntries(await Promise.all(anew)),
  "server.json": formatted("server.json", serverJson()),
});
