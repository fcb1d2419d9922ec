import type { FoundBoundary } from "../boundary/find-boundary.ts";
import { containerMounts } from "../boundary/mounts.ts";
import { type StartedProcess, startProcess } from "../boundary/start-process.ts";
import type { ContainerFolder } from "../container-folder.ts";
import type { ToolCommand } from "./tool-command.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** Starts a tool of a container, inside the boundary if there is one. */
export function startTool(
  command: ToolCommand,
  o: Pick<FoundBoundary, "boundary" | "mounts"> & {
    readonly tools: ToolSettings;
    readonly folder: ContainerFolder;
  },
  stdio: readonly ("pipe" | "ignore")[],
): StartedProcess {
  // The refusal is printed by /bin/sh, which the boundary does not contain. It runs no container code.
  const boundary = command.isRefusal ? undefined : o.boundary;
  const mounts = [
    ...o.mounts,
    ...containerMounts(o.folder),
    { path: o.tools.folder },
    { path: command.file },
  ];
  return startProcess(boundary, { ...command, argv0: command.isRefusal ? "sh" : "helm", mounts }, stdio);
}
