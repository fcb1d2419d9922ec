import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Signal } from "../runtime/process-table.ts";
import type { ProcessContext } from "../runtime/program.ts";
import { serveChannel } from "./channel.ts";
import type { ContainerFolder } from "./container-folder.ts";
import { fencedEnvironment, permissionFlags } from "./fence.ts";
import { hostArguments, refusedOption } from "./node-command.ts";
import { createOutput } from "./output.ts";
import type { PreloadSettings } from "./preload/settings.ts";
import type { ProcessHost } from "./process-host.ts";
import { toolSettings } from "./tool-settings.ts";

/**
 * Runs Node on the host as a process of a container, until it ends.
 * @param args what follows `node`
 * @returns its exit code; 128 + n for signal n
 */
export async function runNode(
  context: ProcessContext,
  host: ProcessHost,
  folder: ContainerFolder,
  args: readonly string[],
  o: { childProcesses: boolean },
): Promise<number> {
  const { root } = folder;
  const refused = refusedOption(args);
  if (refused !== undefined) {
    context.stderr(`node: ${refused} is not allowed in a container that is a process of this machine\n`);
    return 9;
  }
  const cwd = join(root, context.cwd);
  const preload = await host.preload();
  const tools = await toolSettings(context.container.config.image, folder, host, o.childProcesses);
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
    ...(tools && { tools }),
  };
  const child = spawn(
    process.execPath,
    [
      ...permissionFlags(folder, { ...o, preload, tools: tools?.folder }),
      ...heapLimit(context.container.config.memoryLimit),
      `--import=${preloadUrl(preload, settings)}`,
      ...hostArguments(args, root),
    ],
    {
      argv0: "node",
      cwd: existsSync(cwd) ? cwd : root,
      // A group of its own: SIGKILL reaches whatever it started.
      detached: true,
      env: { ...environment(context, host, args), OPERATOR_PATH_ROOT: root },
      stdio: [context.stdin ? "pipe" : "ignore", "pipe", "pipe", "pipe"],
    },
  );
  const pid = child.pid;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  const release = host.supervisor.watch(pid);
  child.on("error", () => {});
  const killGroup = () => signal(-pid, "SIGKILL");
  context.signal.addEventListener("abort", killGroup, { once: true });
  if (context.signal.aborted) killGroup();
  // Until the preload has made it the first process of a container it would die of a signal that it is to withstand.
  let pending: Signal[] | undefined = [];
  context.onSignal((name) => (pending ? void pending.push(name) : signal(pid, name)));
  const ready = () => {
    for (const name of pending ?? []) signal(pid, name);
    pending = undefined;
  };

  const ports = host.portsOf(context);
  serveChannel(child.stdio[3] as Duplex, async (question) => {
    if (question.ask !== "ready") return ports.answer(question);
    ready();
    return { ok: true };
  });
  const output = createOutput();
  output.forward(child.stdout as Readable, context.stdout);
  output.forward(child.stderr as Readable, context.stderr);
  if (context.stdin) void feed(context, child.stdin as NodeJS.WritableStream);
  const [code, by] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  // Its children end with it, as they do with the first process of a PID namespace, and let go of its output.
  killGroup();
  // The number may be another's from here on.
  context.signal.removeEventListener("abort", killGroup);
  release();
  await output.ended(context.clock);
  ports.close();
  return code ?? 128 + (by === null ? 0 : constants.signals[by]);
}

function preloadUrl(folder: string, settings: PreloadSettings): string {
  const url = pathToFileURL(join(folder, "main.mjs"));
  url.searchParams.set("settings", Buffer.from(JSON.stringify(settings)).toString("base64url"));
  return url.href;
}

/** What a container sees of the environment is what its specification says, and where the API server really listens. */
function environment(
  { env }: ProcessContext,
  { apiServer }: ProcessHost,
  args: readonly string[],
): Record<string, string> {
  return {
    ...fencedEnvironment(env, args),
    ...(env.KUBERNETES_SERVICE_HOST
      ? { KUBERNETES_SERVICE_HOST: apiServer.host, KUBERNETES_SERVICE_PORT: String(apiServer.port) }
      : {}),
  };
}

/** V8's heap below the container's memory limit, as Node itself does it where it sees a cgroup's. */
function heapLimit(bytes: number | undefined): string[] {
  return bytes === undefined
    ? []
    : [`--max-heap-size=${Math.max(16, Math.floor((bytes * 0.75) / (1 << 20)))}`];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

async function feed(context: ProcessContext, to: NodeJS.WritableStream): Promise<void> {
  to.on("error", () => {});
  for await (const chunk of context.stdin ?? []) {
    if (!to.write(chunk)) await Promise.race([once(to, "drain"), once(to, "close")]).catch(() => {});
  }
  to.end();
}
