/** `pnpm kind-up`: starts a cluster of containers, with a tutorial's nodes and images, or reuses a running one. */
import { UserError } from "@operator-path/cluster/user-error";
import { ensureCluster, findEngine, readKindConfig, showProgress } from "@operator-path/kind";
import { Command } from "commander";
import { loadTutorialImages } from "./load-tutorial-images.ts";
import { defaultCluster, nextSteps } from "./next-steps.ts";
import { fromHere, given, pageOf, portOf, runCommand } from "./run-command.ts";
import { findTutorial, tutorials } from "./tutorial.ts";
import { findPage, tutorialShell } from "./tutorial-shell.ts";

interface Flags {
  readonly name?: string;
  readonly config?: string;
  readonly image?: string;
  readonly page?: number;
  readonly registry?: number | true;
  readonly kubeconfig?: string;
}

const program = new Command("kind-up")
  .description(
    "Starts a Kubernetes cluster whose nodes are containers on this machine, or reuses a running one.",
  )
  .argument(
    "[tutorial]",
    `the tutorial whose kind-cluster.yaml, images and shell to use: ${tutorials().join(", ")}`,
  )
  .option("--page <number>", "also prepare the folder in which you follow that page by hand", pageOf)
  .option("--name <name>", "the cluster's name (default: that in --config, or operator-path)")
  .option("--config <file>", "a kind configuration (default: the tutorial's, or one node)", fromHere)
  .option(
    "--image <image>",
    "the nodes' image (default: KIND_NODE_IMAGE, or kindest/node of this Kubernetes)",
  )
  .option("--registry [port]", "also start a registry (default port: 5001)", portOf)
  .option("--kubeconfig <file>", "the kubeconfig to write the context to (default: kubectl's)", fromHere);

await runCommand(program, async (signal) => {
  const flags = program.opts<Flags>();
  const [argument] = program.args;
  const tutorial = argument === undefined ? undefined : findTutorial(argument);
  if (flags.page !== undefined && !tutorial)
    throw new UserError("--page needs a tutorial: 02-memcached-operator --page 1");
  const page = tutorial && flags.page !== undefined ? await findPage(tutorial.name, flags.page) : undefined;
  const file = flags.config ?? tutorial?.config;
  const config = file === undefined ? undefined : await readKindConfig(file);
  const name = flags.name ?? config?.name ?? defaultCluster;
  const onProgress = showProgress(process.stderr);
  const engine = await findEngine({ signal });
  const common = { engine, signal, onProgress, log: (text: string) => onProgress({ type: "note", text }) };
  const { image, kubeconfig: kubeconfigPath, registry: port } = flags;
  const registry = port === undefined ? undefined : port === true ? {} : { port };
  const state = await ensureCluster({
    ...common,
    name,
    ...given({ config, image, kubeconfigPath, registry }),
  });
  await loadTutorialImages(tutorial?.images ?? [], name, common);
  for (const difference of state.differences) onProgress({ type: "note", text: difference });
  const shell =
    tutorial &&
    (await tutorialShell({ name, tutorial: tutorial.name, page, engine, kubeconfigPath, signal }));
  const steps = await nextSteps(state, engine, given({ kubeconfig: kubeconfigPath, shell }));
  for (const line of steps) console.log(line);
});
