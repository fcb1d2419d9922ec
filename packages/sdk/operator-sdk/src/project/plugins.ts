import { CommandError } from "../command-error.ts";
import { layout, type Project } from "./project-file.ts";

/**
 * The plugins: a project or API in TypeScript, a project that also has Helm APIs, or an API with a Helm
 * chart.
 */
export type Plugin = "typescript" | "hybrid" | "helm";

/** The layout of hybrid projects in PROJECT, beside that of TypeScript. */
export const hybridLayout = "hybrid.helm.sdk.operatorframework.io/v1-alpha";

/** The names of each plugin in flags. Messages use the first one. */
const names: Readonly<Record<Plugin, readonly string[]>> = {
  typescript: ["typescript/v1", "typescript", layout],
  hybrid: ["hybrid.helm.sdk.operatorframework.io", hybridLayout],
  helm: ["helm.sdk.operatorframework.io/v1", "helm.sdk.operatorframework.io"],
};

/** The plugins in pages for Go. */
const goPlugin = /^go(\.kubebuilder\.io)?\/v[34]$/;

/**
 * Finds the plugin that `--plugins` names. Accepts Go's plugins, because pages for Go use them.
 *
 * @param allowed the plugins of the command; the first one is the default
 * @returns the plugin, and for a plugin of Go a line to print
 * @throws CommandError that lists the plugins
 */
export function findPlugin(
  wanted: string | undefined,
  allowed: readonly [Plugin, ...Plugin[]],
): { plugin: Plugin; note?: string } {
  if (wanted === undefined) return { plugin: allowed[0] };
  const plugin = allowed.find((one) => names[one].includes(wanted));
  if (plugin) return { plugin };
  if (goPlugin.test(wanted)) {
    return {
      plugin: "typescript",
      note: `Note: --plugins ${wanted}: the project is in TypeScript, as ever.\n`,
    };
  }
  const known = allowed.map((one) => names[one][0]).join(", ");
  throw new CommandError(`--plugins ${JSON.stringify(wanted)}: the plugins are ${known}`);
}

/** Returns whether a project supports Helm APIs beside those in TypeScript. */
export function isHybrid(project: Project): boolean {
  return project.layout.includes(hybridLayout);
}
