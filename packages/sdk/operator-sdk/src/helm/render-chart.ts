import { ManifestError, type ManifestObject, parseManifest } from "@operator-path/helm-operator";
import { type HelmProgram, HelmRefusal, runHelm } from "./run-helm.ts";

export interface Rendered {
  readonly objects: readonly ManifestObject[];
  /** Why it cannot be rendered with its default values: then there are no objects. */
  readonly refusal?: string;
}

/**
 * What a chart makes with its default values, hooks included but for those that `helm test` runs. No cluster is asked.
 *
 * @param chart path of a folder or an archive
 * @throws CommandError when helm cannot be started
 */
export async function renderChart(
  helm: HelmProgram,
  { chart, release, scratch }: { chart: string; release: string; scratch: string },
): Promise<Rendered> {
  try {
    const args = ["template", "--skip-tests", "--namespace=default", "--", release, chart];
    return { objects: parseManifest(await runHelm(helm, args, scratch)) };
  } catch (error) {
    if (!(error instanceof HelmRefusal || error instanceof ManifestError)) throw error;
    return { objects: [], refusal: error.message.replace(/\s*\n\s*/g, " ") };
  }
}
