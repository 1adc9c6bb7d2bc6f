/** Looks at everything claimcheck needs, and changes nothing. */
import type { Platform } from "../config/data-directory.ts";
import type { Environment } from "../config/reader.ts";
import type { Config } from "../config.ts";
import { processIdentity } from "../engine/identity.ts";
import { askUpstream, type Upstream } from "./ask-upstream.ts";
import { checkBackground } from "./background.ts";
import { type Check, type CheckName, checkNames, type Finding, skip } from "./check.ts";
import { checkClock } from "./clock.ts";
import { checkDatabase } from "./database.ts";
import { checkDirectory, checkPrivacy } from "./directory.ts";
import { checkDisk } from "./disk.ts";
import { checkLeases } from "./leases.ts";
import { type Holders, holdersOf, nobody } from "./locks.ts";
import { checkModel } from "./model.ts";
import { checkNativeModule } from "./native-module.ts";
import { checkNode } from "./node.ts";
import { aboutOther } from "./other-provider.ts";
import { checkBaseUrl, checkKey, checkSettings, readSettings, type Settings } from "./settings.ts";
import type { Sight } from "./stored.ts";
import { checkUnresolved } from "./unresolved.ts";
import { checkRetrieve, checkUpstream, clockOf, modelsIn } from "./upstream.ts";

export interface Surroundings {
  environment: Environment;
  platform: Platform;
  /** The file that runs. */
  script: string;
  /** Whether upstream may be asked; without it no packet leaves. */
  online: boolean;
  now(): number;
}

export async function examine(here: Surroundings): Promise<Check[]> {
  const settings = readSettings(here.environment, here.platform);
  const native = await checkNativeModule(here.script);
  const facts = await gather(settings, native, here);
  const findings: Record<CheckName, Finding> = {
    node: checkNode(process),
    sqlite: native,
    ...settingFindings(settings, facts, here),
    ...upstreamFindings(settings, facts, here),
    ...placeFindings(settings, here.platform),
    ...storedFindings(settings.config, facts, here),
  };
  return checkNames.map((name) => ({ name, ...findings[name] }));
}

/** What several checks look at. */
interface Facts {
  sight: Sight;
  holders: Holders;
  /** Null where upstream was not asked. */
  upstream: Upstream | null;
  /** Mark of the present base URL and key; null where there is no key. */
  endpoint: string | null;
}

async function gather(settings: Settings, native: Finding, here: Surroundings): Promise<Facts> {
  const { database, openai } = settings.config;
  const sight = await sightOf(settings, native);
  return {
    sight,
    holders: sight.kind === "unasked" ? nobody : await holdersOf(database, 1_000),
    upstream: whyNotAsked(settings, here) === null ? await askUpstream(openai, here.now) : null,
    endpoint: await endpointOf(settings),
  };
}

async function sightOf({ config, wrong }: Settings, native: Finding): Promise<Sight> {
  if (native.verdict !== "ok") return { kind: "unasked", why: "SQLite does not load." };
  if (wrong.includes("CLAIMCHECK_DATA_DIR")) return { kind: "unasked", why: noDirectory };
  // Not before it is known to load.
  const { look } = await import("./stored.ts");
  return look(config.database);
}

const noDirectory = "CLAIMCHECK_DATA_DIR names no directory.";

function whyNotAsked({ config, wrong }: Settings, { online }: Surroundings): string | null {
  if (config.provider !== "openai") return "Not asked.";
  if (!online) return "Not asked: without --online no packet leaves this machine.";
  if (wrong.includes("OPENAI_BASE_URL")) return "Not asked: there is no base URL.";
  return config.openai.apiKey === null ? "Not asked: there is no key." : null;
}

async function endpointOf({ config, wrong }: Settings): Promise<string | null> {
  const lacksKey = config.openai.apiKey === null || wrong.includes("OPENAI_BASE_URL");
  if (config.provider === "openai" ? lacksKey : lacksOwnKey(config)) return null;
  const { createProviders } = await import("../providers/registry.ts");
  const providers = createProviders(config, [config.provider]);
  return providers.get(config.provider)?.fingerprint ?? null;
}

const lacksOwnKey = ({ provider, anthropic }: Config) =>
  provider === "anthropic" && anthropic.apiKey === null;

function settingFindings(settings: Settings, { upstream }: Facts, { environment }: Surroundings) {
  return {
    settings: checkSettings(settings),
    ...providerFindings(settings, upstream, environment),
  };
}

function providerFindings(settings: Settings, upstream: Upstream | null, environment: Environment) {
  const other = aboutOther(settings.config);
  return {
    key: other?.key ?? checkKey(settings),
    model: other?.model ?? checkModel(settings.config.defaults.model, modelsIn(upstream?.models ?? null)),
    "base url": other?.["base url"] ?? checkBaseUrl(settings, environment),
  };
}

function upstreamFindings(settings: Settings, { upstream, sight, endpoint }: Facts, here: Surroundings) {
  const other = aboutOther(settings.config);
  if (other !== undefined)
    return { upstream: other.upstream, retrieve: other.retrieve, background: other.background };
  const background = checkBackground(sight, endpoint, here.now());
  if (upstream !== null)
    return {
      upstream: checkUpstream(upstream, settings.config.openai),
      retrieve: checkRetrieve(upstream),
      background,
    };
  return { upstream: skip(whyNotAsked(settings, here) ?? ""), retrieve: skip("Not asked."), background };
}

function placeFindings({ config, wrong }: Settings, { os }: Platform) {
  const { dataDirectory, database, policy } = config;
  if (wrong.includes("CLAIMCHECK_DATA_DIR")) {
    const unlooked = skip(`Not looked at. ${noDirectory}`);
    return { directory: unlooked, privacy: unlooked, disk: unlooked };
  }
  const room = { content: policy.maxContentBytes, answer: policy.maxResultBytes };
  return {
    directory: checkDirectory(dataDirectory),
    privacy: checkPrivacy(dataDirectory, database, process.getuid?.()),
    disk: checkDisk(dataDirectory, os, room),
  };
}

function storedFindings(
  { database }: Config,
  { sight, holders, endpoint, upstream }: Facts,
  here: Surroundings,
) {
  const now = here.now();
  return {
    database: checkDatabase(database, sight, holders),
    leases: checkLeases(sight, now, processIdentity().isGone),
    unresolved: checkUnresolved(sight, endpoint),
    clock: checkClock(sight, now, upstream && clockOf(upstream)),
  };
}
