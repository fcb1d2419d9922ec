import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { KubeConfig, mergeKubeConfigs } from "@operator-path/client";
import type { Machine } from "../machine.ts";

/** What kubectl would read, merged as it does. */
export interface Kubeconfigs {
  /** Those that are there, in their order. */
  readonly files: readonly string[];
  readonly merged: KubeConfig;
  /** `file: why`, of those that cannot be read. */
  readonly problems: readonly string[];
}

/** The files of KUBECONFIG, else `~/.kube/config`. Nobody is contacted, no plugin is run. */
export function readKubeconfigs({ env, home }: Machine): Kubeconfigs {
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  const wanted = named.length > 0 ? named : [join(home, ".kube", "config")];
  const files = wanted.filter((file) => existsSync(file));
  const problems = named
    .filter((file) => !existsSync(file))
    .map((file) => `${file}: KUBECONFIG names it, and it is not there`);
  const readable = files.flatMap((file) => {
    const one = new KubeConfig();
    try {
      one.loadFromFile(file);
      return [one];
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      problems.push(`${file}: ${reason}`);
      return [];
    }
  });
  const merged = new KubeConfig();
  merged.loadFromOptions(mergeKubeConfigs(readable));
  return { files, merged, problems };
}
