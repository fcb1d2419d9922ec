import type { ReleaseRequest, Rendered } from "../helm/helm.ts";
import { HelmError } from "../helm/helm-error.ts";
import type { Release } from "../release/release.ts";
import { valuesDigest } from "../values/values-digest.ts";
import { differingObjects } from "./differing-objects.ts";
import type { Run } from "./run.ts";

/** Whether the deployed release is what the chart makes of the values now. Asks helm unless it is known already. */
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
    // From the same input something else: if it is something else each time (a random password, the time), an upgrade would
    // follow upon each look at it. What differs from look to look does not count.
    const second = await render(run, request);
    const random = differingObjects(first.manifest, second.manifest);
    return [...differing].every((object) => random.has(object));
  }
}

/** What helm would install. Nothing is written; a failure is the chart's, or the values', and nothing is to be undone. */
export async function render(run: Run, request: ReleaseRequest): Promise<Rendered> {
  const { settings, signal, status } = run;
  function fail(error: unknown): never {
    if (!signal.aborted) status.irreconcilable("ErrorGettingReleaseState", error);
    throw error;
  }
  try {
    return await settings.helm.dryRun(request, { signal });
  } catch (error) {
    // A kind whose definition the chart brings along: the server cannot know it before it is installed.
    if (error instanceof HelmError && error.kind === "unknown-kind" && settings.chart.crds) {
      return settings.helm.dryRun(request, { signal, server: false }).catch(fail);
    }
    return fail(error);
  }
}
