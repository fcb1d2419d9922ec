import { builtInKinds } from "../project/built-in-kinds.ts";
import type { ChartFile } from "./obtain-chart.ts";

/** A kind that a template names; its group is undefined where an expression says it, and the kind is none of Kubernetes'. */
export interface TemplateKind {
  readonly group: string | undefined;
  readonly kind: string;
}

/**
 * The kinds that the templates of a chart, and of charts in it, name outright: those that only other values render, too.
 * What `helm test` runs is left out. Read line by line, as text: what an expression makes of itself is not seen.
 */
export function templateKinds(files: readonly ChartFile[]): TemplateKind[] {
  const found = new Map<string, TemplateKind>();
  for (const { name, data } of files) {
    if (!/(^|\/)templates\/.*\.ya?ml$/.test(name)) continue;
    for (const document of data.toString("utf8").split(/^---\s*$/m)) {
      if (/helm\.sh\/hook["']?:\s*["']?test\b/.test(document)) continue;
      const apiVersion = /^apiVersion:[ \t]*["']?([^\s"'{]+)["']?[ \t]*$/m.exec(document)?.[1];
      for (const [, kind = ""] of document.matchAll(/^kind:[ \t]*["']?([A-Z]\w*)["']?[ \t]*$/gm)) {
        if (kind.endsWith("List")) continue;
        const group = apiVersion === undefined ? groupOf(kind) : groupIn(apiVersion);
        found.set(`${group}/${kind}`, { group, kind });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** Of a kind whose version an expression chooses, after what the cluster has. */
function groupOf(kind: string): string | undefined {
  return builtInKinds.find((one) => one.kind === kind)?.group;
}

/** "apps" of "apps/v1". */
export function groupIn(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
