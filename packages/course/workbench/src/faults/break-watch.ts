import type { FaultEvent } from "@operator-path/cluster";
import { duration } from "./duration.ts";
import type { Caused, FaultTarget } from "./fault.ts";

const noWatch = "No operator watches anything. Start yours first.";

export async function whyNotBreakWatch({ faults }: Pick<FaultTarget, "faults">): Promise<string | undefined> {
  return (await faults?.watches()) === 0 ? noWatch : undefined;
}

export async function breakWatch({ faults, signal, show }: FaultTarget): Promise<Caused> {
  if (!faults) throw new Error("the cluster is not the session's own");
  const seen: string[] = [];
  const unsubscribe = faults.subscribe((event) => {
    if (event.type !== "watch-resumed") return;
    seen.push(lineOf(event));
    show(seen);
  });
  signal.addEventListener("abort", unsubscribe, { once: true });
  const count = await faults.breakWatches();
  if (count === 0) return { ok: false, text: noWatch };
  return {
    ok: true,
    text:
      `${count === 1 ? "One watch of your operator has" : `${count} watches of your operator have`} lost the ` +
      "connection. On the time line, the lane Faults shows when each one reconnected.",
  };
}

function lineOf(event: Extract<FaultEvent, { type: "watch-resumed" }>): string {
  const { resource, after, listed, resourceVersion } = event;
  return listed || resourceVersion === ""
    ? `${resource}: watched again after ${duration(after)}, from a new list. Changes in between arrive as one.`
    : `${resource}: watched again after ${duration(after)}, from resourceVersion ${resourceVersion}. The server ` +
        "sends what has changed since then, so nothing is missed.";
}
