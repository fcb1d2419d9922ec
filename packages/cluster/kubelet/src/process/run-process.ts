import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Signal } from "../runtime/process-table.ts";
import type { ProcessContext } from "../runtime/program.ts";
import { attend, sendSignal } from "./attend.ts";
import { serveChannel } from "./channel.ts";
import type { ContainerFolder } from "./container-folder.ts";
import { fencedEnvironment, permissionFlags } from "./fence.ts";
import { hostArguments, refusedOption } from "./node-command.ts";
import { optionText, optionWords } from "./node-options.ts";
import { podEnvironment } from "./pod-environment.ts";
import { isImport, laterImports } from "./preload/later-imports.ts";
import { createPaths } from "./preload/paths.ts";
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
  const { words, env } = prepared(
    hostArguments(args, root),
    fencedEnvironment(podEnvironment(context, host), args),
    folder,
    tools?.others === false,
  );
  const child = spawn(
    process.execPath,
    [
      ...permissionFlags(folder, { ...o, preload, tools: tools?.folder }),
      ...heapLimit(context.container.config.memoryLimit),
      `--import=${preloadUrl(preload, settings)}`,
      ...words,
    ],
    {
      argv0: "node",
      cwd: existsSync(cwd) ? cwd : root,
      // A group of its own: SIGKILL reaches whatever it started.
      detached: true,
      env: { ...env, OPERATOR_PATH_ROOT: root },
      stdio: [context.stdin ? "pipe" : "ignore", "pipe", "pipe", "pipe"],
    },
  );
  const { pid } = child;
  // Until the preload has made it the first process of a container it would die of a signal that it is to withstand.
  let pending: Signal[] | undefined = [];
  const signal = (name: Signal) => void (pid !== undefined && sendSignal(pid, name));
  context.onSignal((name) => (pending ? void pending.push(name) : signal(name)));
  const ready = () => {
    for (const name of pending ?? []) signal(name);
    pending = undefined;
  };
  const ports = host.portsOf(context);
  serveChannel(child.stdio[3] as Duplex, async (question) => {
    if (question.ask !== "ready") return ports.answer(question);
    ready();
    return { ok: true };
  });
  try {
    return await attend(child, context, host);
  } finally {
    ports.close();
  }
}

/**
 * Command line and environment. Where the preload is all that keeps a process from starting programs, no module is loaded
 * before it.
 */
function prepared(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { root, mounts, reads }: ContainerFolder,
  isPreloadFirst: boolean,
): { words: readonly string[]; env: Readonly<Record<string, string>> } {
  if (!isPreloadFirst) return { words, env };
  const { toHost } = createPaths({ root, mounts, visible: reads });
  // A module in a volume is known by the volume's path: the preload would take the one below the root for another.
  const inPlace = (word: string) =>
    word.replace(/^(--import=)(\/.*)$/s, (_, name, path) => name + toHost(path));
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const [own, rest] = [words.slice(0, end), words.slice(end)];
  const given = env.NODE_OPTIONS === undefined ? undefined : optionWords(env.NODE_OPTIONS);
  const options = laterImports(given ?? []);
  return {
    words: [...hostArguments(options.filter(isImport), root), ...laterImports(own)].map(inPlace).concat(rest),
    env: given ? { ...env, NODE_OPTIONS: optionText(options.filter((word) => !isImport(word))) } : env,
  };
}

function preloadUrl(folder: string, settings: PreloadSettings): string {
  const url = pathToFileURL(join(folder, "main.mjs"));
  url.searchParams.set("settings", Buffer.from(JSON.stringify(settings)).toString("base64url"));
  return url.href;
}

/** V8's heap below the container's memory limit, as Node itself does it where it sees a cgroup's. */
function heapLimit(bytes: number | undefined): string[] {
  return bytes === undefined
    ? []
    : [`--max-heap-size=${Math.max(16, Math.floor((bytes * 0.75) / (1 << 20)))}`];
}
