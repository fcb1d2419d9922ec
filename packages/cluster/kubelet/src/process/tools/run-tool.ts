import type { ProcessContext } from "../../runtime/contracts.ts";
import { attachChild } from "../attach-child.ts";
import type { FoundBoundary } from "../boundary/find-boundary.ts";
import { containerMounts } from "../boundary/mounts.ts";
import { type StartedProcess, startProcess } from "../boundary/start-process.ts";
import type { ContainerFolder } from "../container-folder.ts";
import { podEnvironment } from "../host-access.ts";
import type { ProcessHost } from "../process-host.ts";
import { containerNames } from "./container-names.ts";
import { type ToolCommand, toolCommand } from "./tool-command.ts";
import { toolPaths } from "./tool-paths.ts";
import { type ToolSettings, toolSettings } from "./tool-settings.ts";

/**
 * Runs a tool of an image as a process of a container, until it ends, as for `kubectl exec operator -- helm
 * list`.
 * @param path the tool's path in the container
 * @returns the exit code; 128 + n for signal n
 */
export async function runTool(
  context: ProcessContext,
  host: ProcessHost,
  folder: ContainerFolder,
  path: string,
): Promise<number> {
  const tools = await toolSettings(context.container.config.image, folder, host);
  // The tool was found before, so its settings exist.
  if (tools === undefined || context.signal.aborted) return 137;
  const request = {
    file: path,
    args: context.argv.slice(1),
    cwd: context.cwd,
    env: podEnvironment(context, host),
  };
  const command = toolCommand(request, tools, toolPaths(folder));
  if (typeof command === "string") throw new Error(`${path}: ${command}`);
  const found = await host.boundary();
  const stdin = context.stdin ? "pipe" : "ignore";
  const { child, signal } = startTool(command, { ...found, tools, folder }, [stdin, "pipe", "pipe"]);
  context.onSignal(signal);
  const names = { stdout: containerNames(folder), stderr: containerNames(folder) };
  const code = await attachChild(child, context, host, (chunk, stream) => names[stream](Buffer.from(chunk)));
  await context.stdout(names.stdout.end());
  await context.stderr(names.stderr.end());
  return code;
}

/** Starts a tool of a container, inside the boundary if there is one. */
export function startTool(
  command: ToolCommand,
  options: Pick<FoundBoundary, "boundary" | "mounts"> & {
    readonly tools: ToolSettings;
    readonly folder: ContainerFolder;
  },
  stdio: readonly ("pipe" | "ignore")[],
): StartedProcess {
  // /bin/sh prints the refusal. It is outside of the boundary, and runs no code of the container.
  const boundary = command.isRefusal ? undefined : options.boundary;
  const mounts = [
    ...options.mounts,
    ...containerMounts(options.folder),
    { path: options.tools.folder },
    { path: command.file },
  ];
  return startProcess(boundary, { ...command, argv0: command.isRefusal ? "sh" : "helm", mounts }, stdio);
}
