import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Caused, FaultTarget } from "./fault.ts";

const noProgram =
  "No program runs in the terminal operator. If your operator runs in the cluster, delete its Pod instead.";

export async function whyNotKillOperator(
  target: Pick<FaultTarget, "terminals">,
): Promise<string | undefined> {
  return (await programOf(target)) === undefined ? noProgram : undefined;
}

export async function killOperator({ terminals, model, clock }: FaultTarget): Promise<Caused> {
  const group = await programOf({ terminals });
  if (group === undefined) return { ok: false, text: noProgram };
  process.kill(-group, "SIGKILL");
  model.record({
    ...{ type: "fault", at: clock.now(), by: "workbench", text: "killed with SIGKILL", warning: true },
    ...{ uid: "", kind: "", namespace: "", name: "operator" },
  });
  return {
    ok: true,
    text:
      "The operator was killed. Nothing reconciles now. Change an object that it manages, and start it again: " +
      "it lists everything first, so it finds that change, too.",
  };
}

/** Returns the process group of the program in the terminal operator, if one runs. */
async function programOf({ terminals }: Pick<FaultTarget, "terminals">): Promise<number | undefined> {
  const terminal = terminals.find("operator");
  if (terminal?.running() === undefined) return undefined;
  const group = await foregroundGroup(terminal.pid);
  return group === terminal.pid ? undefined : group;
}

/** Returns the process group in the foreground of a shell's terminal. */
async function foregroundGroup(shell: number): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "tpgid=", "-p", String(shell)]);
  const group = Number(stdout.trim());
  return Number.isInteger(group) && group > 1 ? group : undefined;
}
