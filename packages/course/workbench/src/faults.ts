import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Client, leases } from "@operator-path/client";
import type { Outcome } from "./course.ts";
import type { Terminals } from "./terminals.ts";

/** What a fault acts on. */
export interface FaultTarget {
  readonly terminals: Pick<Terminals, "find">;
  readonly client: Client;
}

/** A mishap that the learner causes on purpose, to see what the operator makes of it. */
export interface Fault {
  readonly name: "kill-operator" | "take-lease";
  readonly title: string;
  readonly description: string;
  cause(target: FaultTarget): Promise<Outcome>;
}

export const faults: readonly Fault[] = [
  {
    name: "kill-operator",
    title: "Kill the operator",
    description: "Ends the program in the terminal operator with SIGKILL, so it cannot say goodbye.",
    cause: killOperator,
  },
  {
    name: "take-lease",
    title: "Take the lease",
    description: "Writes another holder into the Lease of each operator, as a second replica would.",
    cause: takeLease,
  },
];

/** The holder that the fault writes. */
const thief = "workbench";

async function killOperator({ terminals }: FaultTarget): Promise<Outcome> {
  const terminal = terminals.find("operator");
  const group = terminal?.running() === undefined ? undefined : await foregroundGroup(terminal.pid);
  if (terminal === undefined || group === undefined || group === terminal.pid)
    return { ok: false, text: "No program runs in the terminal operator." };
  process.kill(-group, "SIGKILL");
  return { ok: true, text: "The operator was killed. Nothing reconciles until you start it again." };
}

/** Returns the process group in the foreground of a shell's terminal. */
async function foregroundGroup(shell: number): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "tpgid=", "-p", String(shell)]);
  const group = Number(stdout.trim());
  return Number.isInteger(group) && group > 1 ? group : undefined;
}

async function takeLease({ client }: FaultTarget): Promise<Outcome> {
  const { items } = await client.resource(leases).list();
  // The cluster's own components have theirs.
  const own = items.filter(
    ({ metadata, spec }) => !metadata?.namespace?.startsWith("kube-") && spec?.holderIdentity,
  );
  if (own.length === 0) return { ok: false, text: "No operator holds a Lease." };
  for (const { metadata: { name = "", namespace = "" } = {}, spec } of own) {
    const now = new Date().toISOString().replace(/(\.\d{3})Z$/, "$1000Z");
    const change = {
      spec: {
        holderIdentity: thief,
        ...{ acquireTime: now, renewTime: now },
        leaseTransitions: (spec?.leaseTransitions ?? 0) + 1,
      },
    };
    await client.resource(leases).namespace(namespace).patch(name, change, { type: "merge" });
  }
  const names = own.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`).join(", ");
  return { ok: true, text: `${thief} holds ${names} now, until the Lease expires.` };
}
