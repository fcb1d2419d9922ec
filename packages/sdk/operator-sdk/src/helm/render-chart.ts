import { ManifestError, type ManifestObject, parseManifest } from "@operator-path/helm-operator";
import { CommandError, oneLine } from "../command-error.ts";
import { HelmError, type HelmProgram, runHelm } from "./run-helm.ts";

export interface Rendered {
  readonly objects: readonly ManifestObject[];
  /** The objects of a release with another name and namespace. Any difference depends on the release. */
  readonly others: readonly ManifestObject[];
  /** Why the chart cannot be rendered with its default values. There are no objects then. */
  readonly renderError?: string;
}

/**
 * Renders a chart with its default values, including hooks except those of `helm test`. Does not contact a
 * cluster.
 *
 * @param options.chart path of a folder or an archive
 * @throws CommandError if helm cannot be started, or if the chart's dependencies are missing
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
    if (!(error instanceof HelmError || error instanceof ManifestError)) throw error;
    const renderError = oneLine(error.message);
    if (!renderError.includes("missing in charts/")) return { objects: [], others: [], renderError };
    throw new CommandError(
      `the chart's dependencies are missing: run helm dependency build in its folder first; helm reports: ${renderError}; nothing was written`,
    );
  }
}
