import { builtInKinds } from "../project/built-in-kinds.ts";
import type { ChartFile } from "./obtain-chart.ts";

/**
 * A kind in a template. Its group is undefined if the apiVersion is an expression and the kind is not
 * built-in.
 */
export interface TemplateKind {
  readonly group: string | undefined;
  readonly kind: string;
}

export interface TemplateKinds {
  readonly kinds: readonly TemplateKind[];
  /** Templates in which the kind is an expression. */
  readonly unclear: readonly string[];
}

const value = /["']?([^\s"'{#]+)["']?/.source;
const end = /[ \t]*(?:#.*)?$/.source;
const apiVersion = new RegExp(`^apiVersion:[ \\t]*${value}${end}`, "m");
const kind = new RegExp(`^kind:[ \\t]*${value}${end}`, "gm");
/** The items of a List. Other objects have fields with these names as well (`scaleTargetRef`, `roleRef`). */
const innerApiVersion = new RegExp(`apiVersion:[ \\t]*${value}${end}`, "m");
const innerKind = new RegExp(`^[ \\t-]+kind:[ \\t]*${value}${end}`, "m");

/**
 * Returns the kinds in the templates of a chart and its subcharts, including those that the default values do
 * not render. Omits the hooks of `helm test`. Reads the templates as text and does not evaluate expressions.
 */
export function templateKinds(files: readonly ChartFile[]): TemplateKinds {
  const found = new Map<string, TemplateKind>();
  const unclear = new Set<string>();
  for (const { name, data } of files) {
    if (!/(^|\/)templates\/.*\.(ya?ml|tpl)$/.test(name)) continue;
    for (const document of data.toString("utf8").split(/^---(?=\s|$)/m)) {
      if (/helm\.sh\/hook["']?:\s*["']?test\b/.test(document)) continue;
      if (/^[ \t-]*kind:[ \t]*["']?\{\{/m.test(document)) unclear.add(name);
      for (const one of kindsIn(document)) found.set(`${one.group}/${one.kind}`, one);
    }
  }
  const kinds = [...found.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  return { kinds, unclear: [...unclear].sort() };
}

function kindsIn(document: string): TemplateKind[] {
  const version = apiVersion.exec(document)?.[1];
  const named = [...document.matchAll(kind)].map(([, name = ""]) => name);
  const items = named.some((name) => name.endsWith("List"))
    ? document
        .split(/^[ \t]*- /m)
        .slice(1)
        .flatMap((item): TemplateKind[] => {
          const name = innerKind.exec(`\n  ${item}`)?.[1];
          return name === undefined ? [] : [asKind(name, innerApiVersion.exec(item)?.[1])];
        })
    : [];
  return [...named.filter((name) => !name.endsWith("List")).map((name) => asKind(name, version)), ...items];
}

/** Without a version, the apiVersion is an expression, which usually depends on the cluster. */
function asKind(name: string, version: string | undefined): TemplateKind {
  const known = builtInKinds.find((one) => one.kind === name)?.group;
  return { kind: name, group: version === undefined ? known : groupIn(version) };
}

/** Returns the group of an apiVersion: "apps" for "apps/v1". */
export function groupIn(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
