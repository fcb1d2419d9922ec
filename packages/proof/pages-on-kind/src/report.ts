/** The result of a run, the content of reports/kind.json. */
export interface KindReport {
  /** RFC 3339. */
  readonly date: string;
  readonly command: string;
  readonly kind: string;
  readonly kubernetes: string;
  /** The nodes' own value: `containerd://2.2.1`. */
  readonly runtime: string;
  readonly nodes: number;
  /** `docker 29.1.3` */
  readonly engine: string;
  readonly kernel: string;
  /** The engine's cgroup version: "1" or "2". */
  readonly cgroup: string;
  /** The source of the Pods' images: `pulled`, or `built` here (see the README). */
  readonly images: "pulled" | "built";
  /** Seconds until all nodes were Ready. */
  readonly clusterSeconds: number;
  readonly seconds: number;
  readonly pages: readonly PageResult[];
  /** What was left after the deletion of the cluster. */
  readonly left: readonly string[];
}

export interface PageResult {
  /** `01-podbuggertool/1-from-the-laptop` */
  readonly page: string;
  readonly passed: boolean;
  readonly steps: number;
  readonly passedSteps: number;
  readonly seconds: number;
  /** Blocks for other providers: `line 93: only on embedded`. */
  readonly skipped: readonly string[];
  /** The first difference. */
  readonly difference?: string;
}

/** Returns reports/kind.md. */
export function formatReport(report: KindReport): string {
  const rows = report.pages.map(
    ({ page, passed, passedSteps, steps, seconds, difference }) =>
      `| [${page}](../../../../tutorials/${page}.md) | ${passedSteps} of ${steps} | ${seconds.toFixed(1)} | ${passed ? "passed" : (difference ?? "failed")} |`,
  );
  const skipped = report.pages.flatMap(({ page, skipped }) => skipped.map((line) => `- ${page}: ${line}`));
  const images =
    report.images === "pulled"
      ? "pulled from their registries"
      : "built from Debian packages, because no registry was reachable ([how](../README.md#images))";
  const passed = report.pages.filter((page) => page.passed).length;
  return `# Pages on kind

\`${report.command}\` on ${report.date.slice(0, 10)}: every page of every tutorial, one after another, on one cluster of ${report.nodes} nodes, with
real containers.

| | |
|-|-|
| kind | ${report.kind} |
| Kubernetes | ${report.kubernetes}, ${report.runtime} |
| engine | ${report.engine}, cgroup v${report.cgroup} |
| kernel | ${report.kernel} |
| images | ${images} |
| time until all nodes were Ready | ${report.clusterSeconds.toFixed(1)} s |
| total time | ${report.seconds.toFixed(1)} s |

| Page | Steps | Seconds | |
|-|-:|-:|-|
${rows.join("\n")}

${passed} of ${report.pages.length} pages passed. ${
    report.left.length === 0
      ? "Nothing was left afterwards: no container, volume, network, kubeconfig entry, temporary file or process. (Images stay in the engine.)"
      : `Left behind: ${report.left.join("; ")}.`
  }

## Skipped blocks

${skipped.length === 0 ? "Nothing." : skipped.join("\n")}
`;
}
