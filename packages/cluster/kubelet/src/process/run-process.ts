import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import type { ProcessContext } from "../runtime/contracts.ts";
import type { Signal } from "../runtime/process-table.ts";
import { attachChild } from "./attach-child.ts";
import { containerMounts } from "./boundary/mounts.ts";
import { startProcess } from "./boundary/start-process.ts";
import { serveChannel } from "./channel.ts";
import type { ContainerFolder } from "./container-folder.ts";
import { fencedEnvironment, permissionFlags } from "./fence.ts";
import { podEnvironment } from "./host-access.ts";
import { endFirst } from "./limits.ts";
import { hostArguments, refusedOption } from "./node-command.ts";
import { refusedVariable } from "./node-options.ts";
import type { PreloadSettings } from "./preload/protocol.ts";
import type { ProcessHost } from "./process-host.ts";
import { containerNames } from "./tools/container-names.ts";
import { startTool } from "./tools/run-tool.ts";
import { serveTools } from "./tools/serve-tools.ts";
import { toolCommand } from "./tools/tool-command.ts";
import { Refusal, toolPaths } from "./tools/tool-paths.ts";
import { toolSettings } from "./tools/tool-settings.ts";

/**
 * Runs Node on the host as a process of a container, until it ends.
 * @param args the arguments of `node`
 * @returns the exit code; 128 + n for signal n
 */
export async function runNode(
  context: ProcessContext,
  host: ProcessHost,
  folder: ContainerFolder,
  args: readonly string[],
  options: { childProcesses: boolean },
): Promise<number> {
  const { root } = folder;
  const refused = refusedOption(args) ?? refusedVariable(context.env.NODE_OPTIONS ?? "");
  if (refused !== undefined) {
    context.stderr(
      `node: ${refused} is not allowed in a container that is a process of this machine. If it is an option of your program, its main file must come first.\n`,
    );
    return 9;
  }
  const cwd = join(root, context.cwd);
  const preload = await host.preload();
  const tools = await toolSettings(context.container.config.image, folder, host);
  const { boundary, mounts } = await host.boundary();
  const toolPath = toolPaths(folder);
  const contained = (path: string) => toolPath.toHost(posix.resolve(context.cwd, path));
  let env: Record<string, string>;
  let hostArgs: string[];
  try {
    env = fencedEnvironment(podEnvironment(context, host), args, contained);
    hostArgs = hostArguments(args, root, contained);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.stderr(`node: ${error.message}\n`);
    return 9;
  }
  const settings: PreloadSettings = {
    root,
    mounts: folder.mounts,
    visible: [...folder.reads, preload],
    hostname: context.hostname,
    pid: context.process.pid,
    ppid: context.process.ppid,
    uid: context.process.uid,
    gid: context.process.gid,
    ip: context.network.ip,
    passThrough: [host.apiServer.port],
    ...(host.onReconcile && { reconciles: true }),
    workingFolder: env.PWD,
    ...(tools && { tools: { others: options.childProcesses } }),
  };
  const { child, signal } = startProcess(
    boundary,
    {
      file: process.execPath,
      argv0: "node",
      args: [
        ...permissionFlags(folder, { ...options, preload }),
        ...heapLimit(context.container.config.memoryLimit),
        `--import=${preloadUrl(preload, settings)}`,
        ...hostArgs,
      ],
      cwd: existsSync(cwd) ? cwd : root,
      env: { ...env, OPERATOR_PATH_ROOT: root },
      mounts: [...mounts, { path: preload }, ...containerMounts(folder)],
    },
    [context.stdin ? "pipe" : "ignore", "pipe", "pipe", "pipe", ...(tools ? ["pipe" as const] : [])],
  );
  const { pid } = child;
  // No descriptors or no processes are left. Node then creates no pipes either.
  if (pid === undefined) throw (await once(child, "error"))[0];
  // The process handles signals like a container's first process only after the preload is ready. An earlier
  // signal would kill it.
  let pending: Signal[] | undefined = [];
  context.onSignal((name) => (pending ? void pending.push(name) : signal(name)));
  const ready = () => {
    // A boundary's first process may have started the program before its own score was set.
    endFirst(pid);
    for (const name of pending ?? []) signal(name);
    pending = undefined;
  };
  const ports = host.portsOf(context);
  const served =
    tools &&
    serveTools({
      questions: child.stdio[4] as Duplex,
      notices: child.stdio[3] as Duplex,
      command: (request) => toolCommand(request, tools, toolPath),
      start: (command, stdio) => startTool(command, { tools, folder, boundary, mounts }, stdio),
      names: () => containerNames(folder),
      supervisor: host.supervisor,
    });
  child.once("exit", () => served?.close());
  serveChannel(child.stdio[3] as Duplex, async (question) => {
    if (question.ask === "ready") ready();
    else if (question.ask === "reconciled")
      host.onReconcile?.(context.hostname, String(question.queue), String(question.key));
    else if (question.ask !== "input") return ports.answer(question);
    else if (served) await served.input(question.pid, question.data);
    return { ok: true };
  });
  try {
    return await attachChild(child, context, host);
  } finally {
    ports.close();
  }
}

function preloadUrl(folder: string, settings: PreloadSettings): string {
  const url = pathToFileURL(join(folder, "main.mjs"));
  url.searchParams.set("settings", Buffer.from(JSON.stringify(settings)).toString("base64url"));
  return url.href;
}

/** Limits V8's heap below the container's memory limit, as Node does with a cgroup's limit. */
function heapLimit(bytes: number | undefined): string[] {
  return bytes === undefined
    ? []
    : [`--max-heap-size=${Math.max(16, Math.floor((bytes * 0.75) / (1 << 20)))}`];
}
