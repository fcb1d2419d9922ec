import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventRecorder } from "./event-recorder.ts";
import { createEventStore, type Fault } from "./testing/event-store.ts";

const fault = fc.option(fc.constantFrom<Fault>("refused connection", "answer lost", 429, 500), {
  nil: undefined,
  freq: 2,
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      object: fc.constantFrom(0, 0, 0, 1),
      reason: fc.constantFrom(0, 0, 0, 1),
      message: fc.nat(19),
    }),
  },
  { weight: 1, arbitrary: fc.record({ passes: fc.integer({ min: 1, max: 20 * 60_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ flush: true as const }) },
);

const objectOf = (number: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `web-${number}`, namespace: "shop", uid: `u${number}` },
});

// One object may have 25 Events, so fewer writes than that are never limited.
const history = fc.record({
  steps: fc.array(step, { minLength: 10, maxLength: 24 }),
  mishaps: fc.array(fault, { maxLength: 40 }),
});

test.each(["v1", "events.k8s.io/v1"] as const)(
  "%s: stores the recorded counts on the server under any failures",
  async (api) => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, mishaps }) => {
        const clock = createFakeClock();
        const ahead = [...mishaps];
        let inARow = 0;
        // At most three failures, which is the limit of attempts during a flush.
        const server = createEventStore(() => {
          const next = inARow < 2 ? ahead.shift() : undefined;
          inARow = next ? inARow + 1 : 0;
          return next;
        });
        const log: string[] = [];
        const recorder = createEventRecorder(server.client, {
          ...{ component: "c", host: "h", api, clock, random: () => 0.5 },
          log: (line) => log.push(line),
        });
        let recorded = 0;
        const flush = async () => {
          const flushed = recorder.flush();
          await clock.advance(9_999);
          await flushed;
        };
        for (const each of steps) {
          if ("object" in each) {
            recorded++;
            recorder.event(
              objectOf(each.object),
              "Normal",
              `Reason${each.reason}`,
              `message ${each.message}`,
            );
          } else if ("passes" in each) await clock.advance(each.passes);
          else await flush();
        }
        // Time for all attempts, and then for the Events that were held back.
        await clock.advance(3_600_000);
        await flush();
        expect({ log, sum: server.sum() }).toEqual({ log: [], sum: recorded });
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 150 },
    );
  },
);

test("includes the Events dropped by the spam filter in the next written count", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 60 }),
      async (pauses) => {
        const clock = createFakeClock();
        const server = createEventStore();
        const recorder = createEventRecorder(server.client, { component: "c", clock });
        for (const pause of pauses) {
          recorder.event(objectOf(1), "Warning", "BackOff", "again");
          await clock.advance(pause);
        }
        await clock.advance(300_000);
        recorder.event(objectOf(1), "Warning", "BackOff", "again");
        await recorder.flush();
        expect(server.sum()).toBe(pauses.length + 1);
        expect(server.list()).toHaveLength(1);
      },
    ),
    { numRuns: 50 },
  );
});
