import { type Client, type Lease, leases } from "@operator-path/client";
import { duration } from "./duration.ts";
import type { Caused, FaultTarget } from "./fault.ts";

/** The holder that the fault writes. */
const thief = "workbench";

const noLease = "No operator holds a Lease. Without leader election, yours has none.";

export async function whyNotTakeLease({ client }: Pick<FaultTarget, "client">): Promise<string | undefined> {
  return (await heldLeases(client)).length === 0 ? noLease : undefined;
}

export async function takeLease(target: FaultTarget): Promise<Caused> {
  const { client, model, clock } = target;
  const own = await heldLeases(client);
  if (own.length === 0) return { ok: false, text: noLease };
  for (const { metadata: { name = "", namespace = "", uid = "" } = {}, spec } of own) {
    const now = new Date(clock.now()).toISOString().replace(/(\.\d{3})Z$/, "$1000Z");
    const change = {
      spec: {
        holderIdentity: thief,
        ...{ acquireTime: now, renewTime: now },
        leaseTransitions: (spec?.leaseTransitions ?? 0) + 1,
      },
    };
    await client.resource(leases).namespace(namespace).patch(name, change, { type: "merge" });
    model.record({
      ...{ type: "fault", at: clock.now(), by: thief, text: `taken from ${spec?.holderIdentity}` },
      ...{ uid, kind: "Lease", namespace, name, warning: true },
    });
  }
  follow(own, target);
  const names = own.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`).join(", ");
  const seconds = Math.max(...own.map(({ spec }) => spec?.leaseDurationSeconds ?? 0));
  return {
    ok: true,
    text:
      `${thief} holds ${names} now, and will not renew it. The operator that held it must not act any more, so it ` +
      `ends. A replica that sees no renewal for ${seconds} s leads next: another one, or yours if you start it again.`,
  };
}

async function heldLeases(client: Client): Promise<Lease[]> {
  const { items } = await client.resource(leases).list();
  // The cluster's own components have theirs.
  return items.filter(
    ({ metadata, spec }) => !metadata?.namespace?.startsWith("kube-") && spec?.holderIdentity,
  );
}

/** Reports when the operator in its terminal ends, and who holds the Leases next. */
function follow(taken: readonly Lease[], { terminals, model, clock, signal, show }: FaultTarget): void {
  const begun = clock.now();
  const seen: string[] = [];
  const after = (): string => duration(clock.now() - begun);
  const see = (line: string): void => {
    seen.push(line);
    show(seen);
  };
  /** The transitions of each taken Lease. The model may still be behind them. */
  const known = new Map(
    taken.map(({ metadata, spec }) => [metadata?.uid ?? "", (spec?.leaseTransitions ?? 0) + 1]),
  );
  const unsubscribe = model.subscribe({
    entry({ uid, namespace, name }) {
      const before = known.get(uid);
      if (before === undefined) return;
      const { holderIdentity = "", leaseTransitions = 0 } =
        (model.versionOf(uid)?.object as Lease)?.spec ?? {};
      if (holderIdentity === "" || leaseTransitions <= before) return;
      known.set(uid, leaseTransitions);
      see(`${namespace}/${name}: ${holderIdentity} holds it, ${after()} after it was taken.`);
    },
    reset() {},
  });
  signal.addEventListener("abort", unsubscribe, { once: true });
  const terminal = terminals.find("operator");
  if (terminal?.running() === undefined) return;
  void (async () => {
    while (terminal.running() !== undefined && !signal.aborted) await terminal.changed(60_000, signal);
    if (!signal.aborted)
      see(
        `The program in the terminal operator ended after ${after()}, with exit status ${terminal.status()}.`,
      );
  })();
}
