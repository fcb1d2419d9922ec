import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { KubeConfig, mergeKubeConfigs } from "@operator-path/client";
import type { Machine } from "../machine.ts";

/** The kubeconfigs that kubectl would read, merged as kubectl merges them. */
export interface Kubeconfigs {
  /** The existing files, in order. */
  readonly files: readonly string[];
  readonly merged: KubeConfig;
  /** `file: reason` for each file that cannot be read. */
  readonly problems: readonly string[];
}

/** Reads the files of KUBECONFIG, or `~/.kube/config`. Sends no request, and runs no plugin. */
export function readKubeconfigs({ env, home }: Machine): Kubeconfigs {
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  const wanted = named.length > 0 ? named : [join(home, ".kube", "config")];
  const files = wanted.filter((file) => existsSync(file));
  const problems = named
    .filter((file) => !existsSync(file))
    .map((file) => `${file}: KUBECONFIG names it, but it is missing`);
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
