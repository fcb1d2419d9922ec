import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { ProcessContext } from "../runtime/program.ts";
import { attend, sendSignal } from "./attend.ts";
import type { ContainerFolder } from "./container-folder.ts";
import { podEnvironment } from "./pod-environment.ts";
import { containerNames } from "./preload/container-names.ts";
import { hostFiles } from "./preload/host-files.ts";
import { createPaths } from "./preload/paths.ts";
import { toolCommand } from "./preload/tool-command.ts";
import type { ProcessHost } from "./process-host.ts";
import { toolSettings } from "./tool-settings.ts";

/**
 * Runs a tool of an image as a process of a container, until it ends: `kubectl exec operator -- helm list`.
 * @param path of the tool in the container
 * @returns its exit code; 128 + n for signal n
 */
export async function runTool(
  context: ProcessContext,
  host: ProcessHost,
  folder: ContainerFolder,
  path: string,
): Promise<number> {
  const tools = await toolSettings(context.container.config.image, folder, host, false);
  const { root, mounts } = folder;
  const command =
    tools &&
    toolCommand(
      { file: path, args: context.argv.slice(1), cwd: context.cwd, env: podEnvironment(context, host) },
      { tools, paths: createPaths({ root, mounts, visible: folder.reads }), root, files: hostFiles() },
    );
  if (command === undefined || typeof command === "string") throw new Error(`the image has no ${path}`);
  const child = spawn(command.file, command.args, {
    argv0: context.argv[0] ?? path,
    cwd: existsSync(command.cwd) ? command.cwd : root,
    detached: true,
    env: command.env,
    stdio: [context.stdin ? "pipe" : "ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  context.onSignal((name) => void (pid !== undefined && sendSignal(pid, name)));
  const names = { stdout: containerNames(folder), stderr: containerNames(folder) };
  const code = await attend(child, context, host, (chunk, stream) => names[stream](Buffer.from(chunk)));
  await context.stdout(names.stdout.end());
  await context.stderr(names.stderr.end());
  return code;
}
