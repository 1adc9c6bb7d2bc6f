import type { LedgerDocument } from "./ledger.ts";
import type { LaterRule } from "./script/later-calls.ts";
import type { Rule } from "./script/rules.ts";

/** A simulator that runs in another process. */
export interface SimulatorControl {
  script(rule: Rule): Promise<void>;
  scriptLater(rule: LaterRule): Promise<void>;
  release(): Promise<void>;
  reset(): Promise<void>;
  /** Closes its port for so long; it can be asked nothing meanwhile. */
  pause(milliseconds: number): Promise<void>;
  ledger(): Promise<LedgerDocument>;
}

/** @param control the URL that the process printed: `http://127.0.0.1:PORT/_sim` */
export function controlSimulator(control: string): SimulatorControl {
  const order = async (path: string, body: object = {}): Promise<void> => {
    await ask(`${control}/${path}`, { method: "POST", body: JSON.stringify(body) });
  };

  return {
    script: (rule) => order("script", rule),
    scriptLater: (rule) => order("later", rule),
    release: () => order("release"),
    reset: () => order("reset"),
    pause: (ms) => order("pause", { ms }),
    async ledger() {
      const answer = await ask(`${control}/ledger`, { method: "GET" });
      // The same version of this code wrote it, on the same machine.
      return (await answer.json()) as LedgerDocument;
    },
  };
}

/** A connection kept from before a pause would be one the port has closed. */
async function ask(url: string, request: { method: string; body?: string }): Promise<Response> {
  const answer = await fetch(url, { ...request, headers: { connection: "close" } });
  if (!answer.ok) throw new Error(`The simulator refused: ${await answer.text()}`);
  return answer;
}
