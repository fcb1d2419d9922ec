import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@operator-path/client";
import { parseManifest } from "../drift/parse-manifest.ts";
import type { ReleaseRequest, Rendered } from "../helm/helm.ts";
import { HelmError } from "../helm/helm-error.ts";
import type { JsonObject } from "../json.ts";
import type { Release } from "../release/release.ts";
import { coalesceValues } from "../values/coalesce-values.ts";
import { overrideValues } from "../values/set-values.ts";
import { specValues, valuesDigest } from "../values/values.ts";
import type { Run } from "./run.ts";

interface Values {
  /** The values that helm gets: it adds the chart's defaults itself. */
  readonly given: JsonObject;
  /** The values that the chart's templates see, for hooks. */
  readonly all: JsonObject;
}

/** Returns the values of an object: translated (default: its spec), overridden, mapped. */
export async function valuesOf({ settings, object, status }: Run): Promise<Values> {
  try {
    const { valueTranslator = specValues, valueMapper, overrideValues: overrides = {}, chart } = settings;
    const translated = await valueTranslator(object);
    const overridden = overrideValues(translated, overrides);
    const given = valueMapper ? await valueMapper(overridden) : overridden;
    return { given, all: coalesceValues(chart.values, given) };
  } catch (error) {
    status.irreconcilable("ErrorGettingValues", error);
    throw error;
  }
}

/** What helm would apply, and whether it has validated that against the server's schemas. */
interface Checked extends Rendered {
  readonly validated: boolean;
}

/**
 * Returns what helm would install. Writes nothing, so a failure leaves nothing to undo. Such a failure is the
 * fault of the chart or of its values.
 */
export async function render(run: Run, request: ReleaseRequest): Promise<Checked> {
  const { settings, signal, status } = run;
  function fail(error: unknown): never {
    if (!signal.aborted) status.irreconcilable("ErrorGettingReleaseState", error);
    throw error;
  }
  try {
    return { ...(await settings.helm.dryRun(request, { signal })), validated: true };
  } catch (error) {
    // The chart brings the CRD of this kind along, so the server cannot know the kind before the install.
    if (error instanceof HelmError && error.kind === "unknown-kind" && settings.chart.crds) {
      const rendered = await settings.helm.dryRun(request, { signal, server: false }).catch(fail);
      return { ...rendered, validated: false };
    }
    return fail(error);
  }
}

/** Returns whether the deployed release is what the chart renders. Runs helm only for a new fingerprint. */
export async function isInSync(
  run: Run,
  request: ReleaseRequest,
  release: Release,
  fingerprint: string,
): Promise<boolean> {
  const { memory, settings } = run;
  if (memory.inSync === fingerprint) return true;
  delete memory.inSync;
  const isSame = await isAsRendered();
  if (isSame) memory.inSync = fingerprint;
  return isSame;

  async function isAsRendered(): Promise<boolean> {
    const first = await render(run, request);
    const differing = differingObjects(release.manifest, first.manifest);
    if (differing.size === 0) return true;
    const isOfSameInput =
      release.chart.version === settings.chart.version &&
      valuesDigest(release.values) === valuesDigest(request.values);
    if (!isOfSameInput) return false;
    // The same chart and values rendered a different manifest. Templates with a random password or the time
    // differ on every render, so every reconcile would upgrade. Render again and ignore the objects that
    // differ between the two renders.
    const second = await render(run, request);
    const random = differingObjects(first.manifest, second.manifest);
    return [...differing].every((object) => random.has(object));
  }
}

/**
 * Reports which values the operator overrides, so that readers of the object see why its release differs.
 * Leaves the values out: they may be secrets from the environment, and more people can read Events.
 */
export function reportOverrides({ settings, events, object }: Run): void {
  for (const path of Object.keys(settings.overrideValues ?? {})) {
    events.event(
      object,
      "Warning",
      "ValueOverridden",
      `Chart value ${JSON.stringify(path)} is overridden by the operator`,
    );
  }
}

/** Returns the names of the objects that differ between two manifests, or are in only one of them. */
function differingObjects(one: string, other: string): ReadonlySet<string> {
  if (one === other) return new Set();
  const [ones, others] = [objectsOf(one), objectsOf(other)];
  const names = new Set([...ones.keys(), ...others.keys()]);
  return new Set([...names].filter((name) => !isDeepStrictEqual(ones.get(name), others.get(name))));
}

function objectsOf(manifest: string): Map<string, KubeObject> {
  return new Map(parseManifest(manifest).map(({ object }) => [nameOf(object), object]));
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ""}/${metadata?.name}`;
}
