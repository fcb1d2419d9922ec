import { accessName, type FaultEvent } from "@operator-path/cluster";
import { duration } from "./duration.ts";
import type { Caused, FaultTarget } from "./fault.ts";

/** Milliseconds from the first refused write. A later retry would keep the learner waiting too long. */
const lasts = 30_000;
const mostPauses = 5;

export type Refusal = Extract<FaultEvent, { type: "refused" | "accepted" }>;

export async function refuseWrites(target: FaultTarget): Promise<Caused> {
  const { faults, access, clock, signal, show, over } = target;
  if (!faults) throw new Error("the cluster is not the session's own");
  const events: Refusal[] = [];
  let timer: unknown;
  async function end(): Promise<void> {
    clock.clearTimeout(timer);
    await faults?.allow();
    over(`The API server accepts writes again.${events.length === 0 ? " It refused no write." : ""}`);
  }
  const unsubscribe = faults.subscribe((event) => {
    if (event.type !== "refused" && event.type !== "accepted") return;
    timer ??= clock.setTimeout(() => void end().catch(() => {}), lasts);
    events.push(event);
    show(linesOf(events));
  });
  signal.addEventListener(
    "abort",
    () => {
      unsubscribe();
      clock.clearTimeout(timer);
      // Rejects if the cluster has ended.
      faults.allow().catch(() => {});
    },
    { once: true },
  );
  await faults.refuse(access);
  const what = access ? `"${accessName(access)}" of your operator` : "each write of your operator";
  return {
    ok: true,
    text:
      `The API server answers ${what} with 403 Forbidden, until you allow it again or ${lasts / 1000} s after the ` +
      "first refusal. Give your operator something to do: change an object that it manages. If you delete a Pod for that, set the shell variables that hold its name again.",
    end,
  };
}

/** Returns what has been seen: how often each write was refused, and the pauses between the attempts. */
export function linesOf(events: readonly Refusal[]): string[] {
  const byWrite = Map.groupBy(events, (event) => {
    const object = [event.namespace, event.name].filter(Boolean).join("/");
    return `${accessName(event)}${object && ` (${object})`}`;
  });
  return [...byWrite].flatMap(([write, all]) => {
    const refused = all.filter(({ type }) => type === "refused").map(({ at }) => at);
    const last = refused.at(-1) ?? 0;
    const accepted = all.find(({ type, at }) => type === "accepted" && at >= last);
    const times = refused.length === 1 ? "once" : `${refused.length} times`;
    return [
      ...(refused.length > 0 ? [`${write}: refused ${times}.${pausesOf(refused)}`] : []),
      ...(accepted ? [`${write}: accepted, ${duration(accepted.at - last)} after the last refusal.`] : []),
    ];
  });
}

function pausesOf(times: readonly number[]): string {
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? at));
  if (pauses.length === 0) return "";
  const last = pauses.slice(-mostPauses);
  const grow = last.length > 2 && last.every((pause, index) => pause > 1.2 * (last[index - 1] ?? 0));
  const why = grow ? " They grow: the work queue backs off after each failure." : "";
  return ` Pauses: ${pauses.length > mostPauses ? "… " : ""}${last.map(duration).join(", ")}.${why}`;
}
