import { ManifestError, type ManifestObject, parseManifest } from "@operator-path/helm-operator";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../one-line.ts";
import { type HelmProgram, HelmRefusal, runHelm } from "./run-helm.ts";

export interface Rendered {
  readonly objects: readonly ManifestObject[];
  /** Those of another release, in another namespace: what differs is the release's, and not the chart's. */
  readonly others: readonly ManifestObject[];
  /** Why it cannot be rendered with its default values: then there are no objects. */
  readonly refusal?: string;
}

/**
 * What a chart makes with its default values, hooks included but for those that `helm test` runs. No cluster is asked.
 *
 * @param chart path of a folder or an archive
 * @throws CommandError when helm cannot be started, or the chart lacks charts that it needs
 */
export async function renderChart(
  helm: HelmProgram,
  { chart, release, scratch }: { chart: string; release: string; scratch: string },
): Promise<Rendered> {
  const render = async (name: string, namespace: string) => {
    const args = ["template", "--skip-tests", `--namespace=${namespace}`, "--", name, chart];
    return parseManifest(await runHelm(helm, args, scratch));
  };
  try {
    const [objects, others] = await Promise.all([
      render(release, "default"),
      render(`another-${release}`.slice(0, 53).replace(/-+$/, ""), "elsewhere"),
    ]);
    return { objects, others };
  } catch (error) {
    if (!(error instanceof HelmRefusal || error instanceof ManifestError)) throw error;
    const refusal = oneLine(error.message);
    if (!refusal.includes("missing in charts/")) return { objects: [], others: [], refusal };
    throw new CommandError(
      `the chart lacks charts that its Chart.yaml names: run helm dependency build in its folder first; helm says: ${refusal}; nothing was written`,
    );
  }
}
