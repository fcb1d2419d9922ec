import { CommandError } from "../command-error.ts";
import { layout, type Project } from "./project-file.ts";

/** What can be scaffolded: a project or an API in TypeScript, a project with both, an API that is a Helm chart. */
export type Plugin = "typescript" | "hybrid" | "helm";

/** As PROJECT names the plugin of hybrid projects, beside the layout in TypeScript. */
export const hybridLayout = "hybrid.helm.sdk.operatorframework.io/v1-alpha";

/** The first name of each is what messages call it. */
const names: Readonly<Record<Plugin, readonly string[]>> = {
  typescript: ["typescript/v1", "typescript", layout],
  hybrid: ["hybrid.helm.sdk.operatorframework.io", hybridLayout],
  helm: ["helm.sdk.operatorframework.io/v1", "helm.sdk.operatorframework.io"],
};

/** Those that Go's pages say. */
const go = /^go(\.kubebuilder\.io)?\/v[34]$/;

/**
 * Which plugin `--plugins` means. Go's are understood, since that is what pages written for Go say.
 *
 * @param allowed those that the command has, the default first
 * @returns and a line to say, for a project in Go
 * @throws CommandError that lists what there is
 */
export function findPlugin(
  wanted: string | undefined,
  allowed: readonly [Plugin, ...Plugin[]],
): { plugin: Plugin; note?: string } {
  if (wanted === undefined) return { plugin: allowed[0] };
  const plugin = allowed.find((one) => names[one].includes(wanted));
  if (plugin) return { plugin };
  if (go.test(wanted)) {
    return {
      plugin: "typescript",
      note: `Note: --plugins ${wanted}: the project is in TypeScript, as ever.\n`,
    };
  }
  const there = allowed.map((one) => names[one][0]).join(", ");
  throw new CommandError(`--plugins ${JSON.stringify(wanted)}: there are ${there}`);
}

/** Whether a project has Helm APIs beside those in TypeScript. */
export function isHybrid(project: Project): boolean {
  return project.layout.includes(hybridLayout);
}
