/** The package as npm would publish it, packed from `dist/` as it stands. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const read = (path: string) => readFileSync(join(root, path), "utf8");

const packedSchema = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string(), size: z.number() })),
  }),
]);
export type Packed = z.infer<typeof packedSchema>[0] & { file: string };

/** Without `prepack`, which would build under the feet of other tests. */
export function pack(folder: string): Packed {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const told = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = packedSchema.parse(JSON.parse(told));
  return { ...packed, file: join(folder, packed.filename) };
}
