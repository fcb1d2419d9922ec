import { type Client, type KubeObject, nodes, serviceAccounts, type WatchEvent } from "@operator-path/client";

/**
 * Resolves when a Pod can be created and will be scheduled: every node of `names` is Ready, and the namespace default
 * has its ServiceAccount. Throws after `timeoutMs`, saying what is missing.
 */
export async function untilReady(
  client: Client,
  names: readonly string[],
  timeoutMs = 20_000,
): Promise<void> {
  const waiting = new Set([...names.map((name) => `node ${name}`), "ServiceAccount default/default"]);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await Promise.all([
      untilNodesReady(client, waiting, signal),
      untilServiceAccount(client, waiting, signal),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`the cluster is not ready after ${timeoutMs / 1000} s: no ${[...waiting].join(", no ")}`);
  }
}

async function untilNodesReady(client: Client, waiting: Set<string>, signal: AbortSignal): Promise<void> {
  for await (const node of appearing(client.resource(nodes).watch({ signal }))) {
    const ready = node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    if (ready) waiting.delete(`node ${node.metadata?.name}`);
    if (![...waiting].some((what) => what.startsWith("node "))) return;
  }
  signal.throwIfAborted();
  return untilNodesReady(client, waiting, signal);
}

async function untilServiceAccount(client: Client, waiting: Set<string>, signal: AbortSignal): Promise<void> {
  const accounts = client.resource(serviceAccounts).namespace("default");
  for await (const account of appearing(accounts.watch({ fieldSelector: "metadata.name=default", signal }))) {
    waiting.delete(`ServiceAccount default/${account.metadata?.name}`);
    return;
  }
  signal.throwIfAborted();
  return untilServiceAccount(client, waiting, signal);
}

/** A watch without a resourceVersion begins with what is there, so nothing is missed in between. */
async function* appearing<T extends KubeObject>(events: AsyncIterable<WatchEvent<T>>): AsyncGenerator<T> {
  for await (const event of events) {
    if (event.type === "ADDED" || event.type === "MODIFIED") yield event.object;
  }
}
