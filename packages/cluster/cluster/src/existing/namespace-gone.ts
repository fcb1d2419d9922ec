import { setTimeout as sleep } from "node:timers/promises";
import { type Client, isNotFound, namespaces } from "@operator-path/client";

/** How long a namespace may take to go, in milliseconds: Pods have half a minute to end. */
const patience = 120_000;

/** Deletes a namespace, and waits until it is gone. Throws an Error that says what it waits for, when it stays. */
export async function namespaceGone(client: Client, name: string): Promise<void> {
  const resource = client.resource(namespaces);
  const ignoreGone = (error: unknown): undefined => {
    if (!isNotFound(error)) throw error;
  };
  // A server that hangs does not keep us for longer.
  const signal = AbortSignal.timeout(patience);
  await resource.delete(name, { signal }).catch(ignoreGone);
  const deadline = Date.now() + patience;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const found = await resource.get(name, { signal }).catch(ignoreGone);
    if (!found) return;
    if (Date.now() > deadline || signal.aborted) {
      const why = found.status?.conditions?.flatMap(({ status, message }) =>
        status === "True" ? (message ?? []) : [],
      );
      throw new Error(
        `the namespace ${name} is not gone after ${patience / 1000} s: ${why?.join("; ") || "no reason is given"}`,
      );
    }
    await sleep(wait);
  }
}
