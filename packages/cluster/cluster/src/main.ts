/**
 * `pnpm cluster up|down|status`, and `operator-path` where the package is installed: a background cluster,
 * embedded or envtest.
 */
import { dirname, join } from "node:path";
import {
  clusterCommand,
  findControlPlane,
  findTool,
  quote,
  ToolNotFoundError,
  UserDirectoryError,
} from "@operator-path/tools";
import { Command, InvalidArgumentError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { down } from "./background/down.ts";
import { clusterFolder, readRecord, runningClusters } from "./background/record.ts";
import { up } from "./background/up.ts";
import { containerToolPath } from "./container-tool/path.ts";
import type { EnvtestOrder } from "./embedded-process/launch.ts";
import { describeFence } from "./fence.ts";
import { readKindConfig } from "./kind-config.ts";
import { nameNodes } from "./node-plan.ts";
import { UserError } from "./user-error.ts";

const program = new Command(clusterCommand.replace("npx ", ""))
  .description("A Kubernetes API with controllers and simulated nodes on this machine, without Docker.")
  .version(manifest.version)
  .addHelpText("after", helpNotes())
  .configureOutput({
    outputError: (text, write) => write(`${text.trim().replace("\n", " ")}; ${usage()}\n`),
  });
const nameOption = ["--name <name>", "the cluster's name", clusterName] as const;

program
  .command("up")
  .description("start the cluster in the background, and print where its kubeconfig is")
  .option("--name <name>", "the cluster's name (default: that in --config, or dev)", clusterName)
  .option("--config <file>", "a kind-cluster.yaml with the number, roles and labels of the nodes")
  .option("--port <number>", "port of the API server on 127.0.0.1 (default: a free one)", portNumber)
  .addOption(
    new Option(
      "--provider <provider>",
      "embedded, or envtest: a real etcd, kube-apiserver, kube-controller-manager",
    )
      .choices(["embedded", "envtest"])
      .default("embedded"),
  )
  .option("--download", "envtest: agree to download official releases of programs that cannot be built here")
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
program
  .command("ui")
  .description("show the cluster of your kubeconfig in the browser, read-only, until Ctrl+C")
  .argument("[command...]", "after --: an operator to run meanwhile; its reconciles are on the time line")
  .option("--context <name>", "a context of your kubeconfig (default: the current one)")
  .option("--namespace <name...>", "show only these namespaces (default: all)")
  .option("--port <number>", "port of the page on 127.0.0.1 (default: a free one)", portNumber)
  .option("--no-open", "print the URL, and do not open the browser")
  .action(runUi);
program
  .command("checklist")
  .description("check an operator against the milestones of its capstone.yaml, in the current folder")
  .addOption(
    new Option("--provider <provider>", "the cluster for the check")
      .choices(["embedded", "envtest"])
      .default("embedded"),
  )
  .action(checkOperator);

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof UserError || error instanceof UserDirectoryError;
  console.error(expected ? `error: ${error.message}` : error);
  process.exitCode = 1;
}

interface UpFlags {
  readonly name?: string;
  readonly config?: string;
  readonly port?: number;
  readonly provider: "embedded" | "envtest";
  readonly download?: boolean;
}

async function runUp(options: UpFlags): Promise<void> {
  const config = options.config === undefined ? {} : await readKindConfig(options.config);
  const name = options.name ?? config.name ?? "dev";
  const nodes = config.nodes && nameNodes(name, config.nodes);
  const envtest = options.provider === "envtest" ? () => findEnvtest(options.download ?? false) : undefined;
  const { record, started } = await up({
    name,
    ...(nodes && { nodes }),
    port: options.port,
    ...(envtest && { envtest }),
  });
  const count = record.nodes.length === 1 ? "one simulated node" : `${record.nodes.length} simulated nodes`;
  say(started ? `cluster ${name} is up at ${record.url}` : `cluster ${name} is already up at ${record.url}`);
  say(
    `  a real Kubernetes API with ${count}: Pods of known images run in memory; Pods of images that you build`,
  );
  say("  with container-tool are processes of this machine's Node");
  for (const line of describeFence(record.fence)) say(`  ${line}`);
  say(`  kubeconfig: ${record.kubeconfigPath}`);
  say("");
  say("# Run these lines in every shell that uses the cluster:");
  say(`export KUBECONFIG=${quote(record.kubeconfigPath)}`);
  // For Makefiles: `$(CONTAINER_TOOL) build`. This cluster cannot use Docker's images.
  say(`export CONTAINER_TOOL=${quote(containerToolPath())}`);
  const kubectl = await findTool("kubectl").catch((error: unknown) => {
    if (error instanceof ToolNotFoundError) console.error(error.message);
    else throw error;
  });
  // The installation includes a kubectl of the right version, for when the PATH has none.
  if (kubectl && kubectl.source !== "PATH") say(`export PATH=${quote(dirname(kubectl.path))}:"$PATH"`);
}

async function findEnvtest(download: boolean): Promise<EnvtestOrder> {
  const log = (line: string): void => console.error(line);
  try {
    const programs = await findControlPlane({ controllerManager: true, log, mayDownload: () => download });
    return { programs, controllers: "real" };
  } catch (error) {
    if (!(error instanceof ToolNotFoundError)) throw error;
    throw new UserError(
      `${error.message}\nOr add --download: downloads are checked against their published checksums.`,
    );
  }
}

async function runDown({ name }: { name: string }): Promise<void> {
  say(
    (await down(name))
      ? `cluster ${name} is stopped, and its files are removed`
      : `no cluster ${name} was running${await others("")}`,
  );
  const { KUBECONFIG, CONTAINER_TOOL } = process.env;
  if (KUBECONFIG !== join(clusterFolder(name), "kubeconfig")) return;
  say("# KUBECONFIG in this shell still points to the removed file. Run this line:");
  say(`unset KUBECONFIG${CONTAINER_TOOL === containerToolPath() ? " CONTAINER_TOOL" : ""}`);
}

async function runStatus({ name }: { name: string }): Promise<void> {
  const record = await readRecord(clusterFolder(name));
  if (record === undefined)
    throw new UserError(`no cluster ${name} is running${await others(startOf(name))}`);
  if (record.kubeconfigPath === undefined) return say(`cluster ${name} is starting (pid ${record.pid})`);
  // The client takes a while to load, and only this command needs it.
  const { drawRunning } = await import("./view/draw.ts");
  const { isTTY = false, columns = 80 } = process.stdout;
  const color = isTTY && !process.env.NO_COLOR;
  say(await drawRunning({ ...record, kubeconfigPath: record.kubeconfigPath }, { width: columns, color }));
  if (record.fence) say(describeFence(record.fence).join("\n"));
}

interface UiFlags {
  readonly context?: string;
  readonly namespace?: string[];
  readonly port?: number;
  readonly open: boolean;
}

async function runUi(command: string[], { context, namespace, port, open }: UiFlags): Promise<void> {
  // The page's server takes a while to load, and only this command needs it.
  const { showInBrowser } = await import("./view/show-in-browser.ts");
  process.exitCode = await showInBrowser(
    {
      command,
      ...(context !== undefined && { context }),
      ...(namespace && { namespaces: namespace }),
      ...(port !== undefined && { port }),
      open: open && Boolean(process.stdout.isTTY),
    },
    say,
  );
}

async function checkOperator({ provider }: { provider: "embedded" | "envtest" }): Promise<void> {
  // It loads a whole cluster, and only this command needs it.
  const { runChecklist } = await import("./checklist/checklist.ts");
  // Thrown, so that the checklist stops the operator and the cluster.
  const outputClosed = new Error("the output is closed");
  let isClosed = false;
  // `head` closes the pipe when it has its lines. The error arrives after the write.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isClosed = true;
  });
  const sayIfOpen = (line: string): void => {
    if (isClosed) throw outputClosed;
    say(line);
  };
  const reached = await runChecklist({ provider }, sayIfOpen).catch((error: unknown) => {
    if (error === outputClosed) return false;
    throw error;
  });
  if (!reached) process.exitCode = 1;
}

/** Suggests running clusters with other names. */
async function others(otherwise: string): Promise<string> {
  const names = await runningClusters();
  return names[0] === undefined ? otherwise : `; running: ${names.join(", ")} (use --name ${names[0]})`;
}

function helpNotes(): string {
  return `
Environment:
  NO_COLOR             status draws without colours
  XDG_STATE_HOME       where clusters keep their kubeconfig, log and record
  OPERATOR_PATH_FENCE  sandbox for Pods that run as processes: best, bubblewrap, namespaces or node

The exit code is 0, or 1 after an error on stderr.`;
}

/** Returns the usage line, for wrong arguments. */
function usage(): string {
  const { commands } = program;
  const called = commands.find((command) => command.name() === process.argv[2]);
  if (called) return `usage: ${program.name()} ${called.name()} ${called.usage()}`;
  return `usage: ${program.name()} ${commands.map((command) => command.name()).join("|")} [options]`;
}

function startOf(name: string): string {
  return `; \`${clusterCommand} up${name === "dev" ? "" : ` --name ${name}`}\` starts one`;
}

function say(line: string): void {
  console.log(line);
}

function clusterName(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError("A name has at most 40 characters: lower-case letters, digits and dashes.");
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}
