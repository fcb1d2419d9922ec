/** `pnpm kind-load IMAGE…`: copies images from the container engine into the nodes, so that nothing is pulled. */
import { stat } from "node:fs/promises";
import { findEngine, loadDockerImages, loadImageArchive } from "@operator-path/kind";
import { Command } from "commander";
import { defaultCluster } from "./next-steps.ts";
import { fromHere, runCommand } from "./run-command.ts";

const program = new Command("kind-load")
  .description("Copies images from docker, podman or nerdctl into the nodes of a cluster, instead of a push.")
  .argument("<image...>", "payment:1.0.0, or a file that `docker save` wrote")
  .option("--name <name>", `the cluster's name (default: KIND_CLUSTER, or ${defaultCluster})`);

await runCommand(program, async (signal) => {
  const { name = process.env.KIND_CLUSTER || defaultCluster } = program.opts<{ name?: string }>();
  const engine = await findEngine({ signal });
  const common = { engine, signal, name, log: (line: string) => console.error(line) };
  for (const image of program.args) {
    const archive = fromHere(image);
    const isFile = await stat(archive).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) await loadImageArchive(archive, common);
    else await loadDockerImages([image], common);
    console.log(`${image} is loaded into cluster ${name}`);
    if (!isFile && /^[^:]*$|:latest$/.test(image.split("/").at(-1) ?? "")) {
      console.log("  its tag is latest, so Pods pull it again unless they set imagePullPolicy: IfNotPresent");
    }
  }
});
