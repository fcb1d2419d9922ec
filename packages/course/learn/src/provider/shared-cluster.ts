import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Cluster,
  type Consent,
  openExistingCluster,
  readKindConfig,
  reuseKindCluster,
  startKindCluster,
} from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";
import { showProgress } from "@operator-path/kind";
import type { Page } from "@operator-path/walkthrough";
import type { PageFile } from "../pages.ts";
import { canAsk, confirm } from "./confirm.ts";
import type { ProviderOptions } from "./options.ts";

/** Name of the kind cluster that pages share. */
const kindName = "operator-path-verify";

/**
 * Opens the cluster that all pages share, one after another. Undefined if each page has its own. `stop`
 * deletes what was created for the pages.
 *
 * @throws KindError or UserError, after removing everything again. The message says what to do
 */
export async function openSharedCluster(
  files: readonly PageFile[],
  pages: readonly Page[],
  o: ProviderOptions,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  if (o.provider === "existing" || (o.provider === "kind" && o.reuse !== undefined))
    return openOwnCluster(pages, o, signal);
  if (o.provider !== "kind") return undefined;
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

const say = (line: string): void => console.log(line);

/** Opens a cluster of the person. */
async function openOwnCluster(
  pages: readonly Page[],
  o: ProviderOptions,
  signal: AbortSignal,
): Promise<Cluster> {
  const fit = pages.filter(({ frontMatter }) => frontMatter.providers.includes("existing"));
  if (fit.length === 0) throw new UserError("none of these pages can run on an existing cluster");
  const { yes = false, allowExecPlugin = false, allowInsecureTls = false } = o;
  const consent: Consent = {
    ...{ yes, allowExecPlugin, allowInsecureTls, say },
    ...(canAsk() && { ask: (question: string) => confirm(question, signal) }),
  };
  const creates = [...new Set(fit.flatMap(({ frontMatter }) => frontMatter.creates))];
  const common = { consent, creates, signal };
  const cluster =
    o.reuse === undefined
      ? await openExistingCluster({ context: o.context ?? "", ...common })
      : await reuseKindCluster({ name: o.reuse, ...common });
  say(`namespace ${cluster.namespace}, which is \`default\` on the pages\n`);
  return cluster;
}

/** Returns the tutorials' kind-cluster.yaml. Throws UserError if they ask for different nodes. */
async function configOf(files: readonly PageFile[]): Promise<string | undefined> {
  const paths = [...new Set(files.map(({ path }) => join(dirname(path), "kind-cluster.yaml")))].filter(
    existsSync,
  );
  const [first, ...others] = paths;
  if (first === undefined) return undefined;
  const wanted = JSON.stringify((await readKindConfig(first)).nodes);
  for (const other of others) {
    if (JSON.stringify((await readKindConfig(other)).nodes) !== wanted)
      throw new UserError(`${first} and ${other} need different nodes: run their pages one after the other`);
  }
  return first;
}
