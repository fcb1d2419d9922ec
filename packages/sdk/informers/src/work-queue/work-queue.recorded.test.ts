import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { exponentialFailureRateLimiter } from "./rate-limiter.ts";
import { createPriorityQueue, createWorkQueue } from "./work-queue.ts";

/** The format of scripts/record-work-queues. */
interface History {
  queue: "client-go" | "controller-runtime";
  steps: Step[];
}

interface Step {
  op: "add" | "get" | "done" | "forget" | "advance" | "shutDown" | "shutDownWithDrain";
  key?: string;
  priority?: number;
  after?: number;
  rateLimited?: boolean;
  advance?: number;
  given?: string[];
  length?: number;
}

const file = join(import.meta.dirname, "recorded.json.gz");
const histories = JSON.parse(gunzipSync(readFileSync(file)).toString()) as History[];

/** Plays the steps on our queue. */
async function play({ queue: whose, steps }: History): Promise<{ given: string[]; length: number }[]> {
  const clock = createFakeClock(0);
  const rateLimiter = exponentialFailureRateLimiter<string>({ base: 5, max: 100 });
  const create = whose === "client-go" ? createWorkQueue : createPriorityQueue;
  const queue = create<string>({ clock, rateLimiter });
  const processing = new Set<string>();
  let given: string[] = [];

  async function get(): Promise<void> {
    const item = await queue.getWithPriority();
    given.push(item ? `${item.key} ${item.priority}` : "shut down");
    if (item) processing.add(item.key);
  }

  const seen: { given: string[]; length: number }[] = [];
  for (const { op, key = "", priority, after, rateLimited, advance = 0 } of steps) {
    if (op === "add") queue.add(key, { priority, after, rateLimited });
    else if (op === "get") get();
    else if (op === "forget") queue.forget(key);
    else if (op === "advance") await clock.advance(advance);
    else if (op !== "done") queue[op]();
    else if (processing.delete(key)) queue.done(key);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    seen.push({ given: given.sort(), length: queue.length });
    given = [];
  }
  return seen;
}

test.each(["client-go", "controller-runtime"] as const)(
  "matches %s step by step in random histories",
  async (whose) => {
    const recorded = histories.filter(({ queue }) => queue === whose);
    expect(recorded).toHaveLength(200);
    for (const [index, history] of recorded.entries()) {
      const seen = await play(history);
      const differs = seen.findIndex((ours, step) => {
        const { given = [], length = 0 } = history.steps[step] ?? {};
        return ours.length !== length || ours.given.join() !== given.join();
      });
      // Shows the steps up to the first difference.
      expect(differs < 0 ? "" : JSON.stringify(history.steps.slice(0, differs + 1)), `history ${index}`).toBe(
        "",
      );
    }
  },
);
