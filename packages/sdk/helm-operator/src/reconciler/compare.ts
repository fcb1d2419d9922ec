import type { ReleaseRequest, Rendered } from "../helm/helm.ts";
import { HelmError } from "../helm/helm-error.ts";
import type { Release } from "../release/release.ts";
import { valuesDigest } from "../values/values-digest.ts";
import { differingObjects } from "./differing-objects.ts";
import type { Run } from "./run.ts";

/**
 * Returns whether the deployed release is what the chart renders now. Runs helm only for an unknown
 * fingerprint.
 */
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
    // The same input rendered something else. If every rendering differs (a random password, the time), each
    // reconcile would upgrade. So differences between two renderings do not count.
    const second = await render(run, request);
    const random = differingObjects(first.manifest, second.manifest);
    return [...differing].every((object) => random.has(object));
  }
}

/**
 * Returns what helm would install. Writes nothing, so a failure leaves nothing to undo: the chart or its
 * values are at fault.
 */
export async function render(run: Run, request: ReleaseRequest): Promise<Rendered> {
  const { settings, signal, status } = run;
  function fail(error: unknown): never {
    if (!signal.aborted) status.irreconcilable("ErrorGettingReleaseState", error);
    throw error;
  }
  try {
    return await settings.helm.dryRun(request, { signal });
  } catch (error) {
    // The chart brings the CRD of this kind along, so the server cannot know the kind before the install.
    if (error instanceof HelmError && error.kind === "unknown-kind" && settings.chart.crds) {
      return settings.helm.dryRun(request, { signal, server: false }).catch(fail);
    }
    return fail(error);
  }
}
