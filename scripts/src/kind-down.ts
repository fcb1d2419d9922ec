/** `pnpm kind-down`: removes a cluster with all that `pnpm kind-up` made for it. */
import { deleteCluster, findEngine, listClusters, stopRegistry } from "@operator-path/kind";
import { Command } from "commander";
import { defaultCluster } from "./next-steps.ts";
import { fromHere, runCommand } from "./run-command.ts";
import { removeTutorialShell } from "./tutorial-shell.ts";

const program = new Command("kind-down")
  .description(
    "Removes a cluster of kind-up: its nodes and kubeconfig entry, and after the last one the registry and network.",
  )
  .argument("[tutorial]", "accepted as in kind-up, and ignored: all tutorials share a cluster")
  .option("--name <name>", `the cluster's name (default: ${defaultCluster}, whatever KIND_CLUSTER says)`)
  .option("--kubeconfig <file>", "the kubeconfig with its context (default: kubectl's)", fromHere);

await runCommand(program, async (signal) => {
  const { name = defaultCluster, kubeconfig } = program.opts<{ name?: string; kubeconfig?: string }>();
  const engine = await findEngine({ signal });
  const common = { engine, signal, log: (line: string) => console.error(line) };
  const was = await deleteCluster({
    ...common,
    name,
    ...(kubeconfig !== undefined && { kubeconfigPath: kubeconfig }),
  });
  await removeTutorialShell(name);
  const others = await listClusters(common);
  const registry = others.length === 0 && (await stopRegistry(common));
  console.log(
    was
      ? `cluster ${name} is removed${registry ? ", and the registry" : ""}`
      : `there was no cluster ${name}`,
  );
  if (others.length > 0) console.log(`still there: ${others.join(", ")}`);
});
