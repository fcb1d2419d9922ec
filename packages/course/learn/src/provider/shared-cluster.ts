import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Cluster, openExistingCluster, readKindConfig, startKindCluster } from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";
import { showProgress } from "@operator-path/kind";
import type { Page } from "@operator-path/walkthrough";
import type { PageFile } from "../pages.ts";
import { canAsk, confirm } from "./confirm.ts";
import type { ProviderOptions } from "./options.ts";

/** What a cluster of ours is called among the person's. */
const kindName = "operator-path-verify";

/**
 * The cluster that all pages run on, one after another; undefined where each has one of its own. Disposing it lets go of
 * it: deletes what was created for the pages.
 *
 * @throws KindError, UserError: with the way out, nothing is left then
 */
export async function openSharedCluster(
  files: readonly PageFile[],
  pages: readonly Page[],
  o: ProviderOptions,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  const say = (line: string): void => console.log(line);
  if (o.provider === "existing") {
    const { context = "", yes = false, allowExecPlugin = false, allowInsecureTls = false } = o;
    const fit = pages.filter(({ frontMatter }) => frontMatter.providers.includes("existing"));
    if (fit.length === 0) throw new UserError("none of these pages can be run on an existing cluster");
    const cluster = await openExistingCluster({
      context,
      creates: [...new Set(fit.flatMap(({ frontMatter }) => frontMatter.creates))],
      consent: {
        ...{ yes, allowExecPlugin, allowInsecureTls, say },
        ...(canAsk() && { ask: (question: string) => confirm(question, signal) }),
      },
    });
    say(`namespace ${cluster.namespace}, which is \`default\` on the pages\n`);
    return cluster;
  }
  if (o.provider !== "kind") return undefined;
  if (o.reuse !== undefined) return startKindCluster({ name: o.reuse, reuse: true, signal });
  const config = await configOf(files);
  say(`kind cluster ${kindName}`);
  const cluster = await startKindCluster({
    name: kindName,
    signal,
    onProgress: showProgress(process.stdout),
    ...(config !== undefined && { config }),
  });
  say("");
  return {
    ...cluster,
    async stop() {
      say(`\ndeleting the kind cluster ${kindName}`);
      await cluster.stop();
    },
  };
}

/** The tutorials' kind-cluster.yaml. Throws UserError when they want different nodes: one cluster cannot be both. */
async function configOf(files: readonly PageFile[]): Promise<string | undefined> {
  const paths = [...new Set(files.map(({ path }) => join(dirname(path), "kind-cluster.yaml")))].filter(
    existsSync,
  );
  const [first, ...others] = paths;
  if (first === undefined) return undefined;
  const wanted = JSON.stringify((await readKindConfig(first)).nodes);
  for (const other of others) {
    if (JSON.stringify((await readKindConfig(other)).nodes) !== wanted)
      throw new UserError(`${first} and ${other} want different nodes: run their pages one after the other`);
  }
  return first;
}
