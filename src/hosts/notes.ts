/** What to know of each way of starting, whatever the host. */
import { type Installation, image, type LaunchForm, volume } from "./launch.ts";

export function notesOn({ form, windows }: Installation): string[] {
  return notes[form](windows);
}

const where = (windows: boolean, command: string) => `${windows ? "where" : "which"} ${command}`;

const notes: Record<LaunchForm, (windows: boolean) => string[]> = {
  path: () => [],
  npx: (windows) => [
    "The first start downloads claimcheck, which can take longer than a host waits: run npx -y claimcheck --version once before.",
    `A host that does not find npx needs its absolute path: ${where(windows, "npx")} tells it.`,
  ],
  command: (windows) => [
    `A host that does not find claimcheck needs its absolute path: ${where(windows, "claimcheck")} tells it.`,
  ],
  docker: () => [
    `docker build -t ${image} . in a clone makes the image. What is stored is in the volume ${volume}, apart from what other ways of starting store; docker run --rm -v ${volume}:/data ${image} list shows it.`,
  ],
};
