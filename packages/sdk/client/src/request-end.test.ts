import { expect, test } from "vitest";
import { createRequestEnds, type RequestEnd } from "./request-end.ts";
import { createFakeClock } from "./testing/fake-clock.ts";

function begin(signal?: AbortSignal) {
  const clock = createFakeClock();
  const ends = createRequestEnds();
  const end = ends.begin({ clock, timeout: 1_000, late: "silent", signal });
  return { clock, ends, end };
}

const reasonsOf = (end: RequestEnd) => {
  const reasons: unknown[] = [];
  end.onEnd((reason) => reasons.push(reason));
  return reasons;
};

test("ends after so long without a sign of life, and not before", async () => {
  const { clock, end } = begin();
  const reasons = reasonsOf(end);
  await clock.advance(900);
  end.extend();
  await clock.advance(999);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  expect(reasons).toEqual([new Error("silent")]);
  expect([end.endedBy, clock.pending()]).toEqual(["timeout", 0]);
});

test("ends with its caller's signal or its client, whichever comes first, once; also when that was before", () => {
  const controller = new AbortController();
  const { ends, end } = begin(controller.signal);
  const reasons = reasonsOf(end);
  controller.abort("enough");
  ends.closeAll("closed");
  expect([reasons, end.reason, end.endedBy]).toEqual([["enough"], "enough", "caller"]);
  expect(reasonsOf(begin(AbortSignal.abort("before")).end)).toEqual(["before"]);
  const clock = createFakeClock();
  expect(ends.begin({ clock, timeout: 1, late: "", signal: undefined }).reason).toBe("closed");
  expect(clock.pending()).toBe(0);
});

test("of one that is done nothing is left, and nothing ends it; a stream outlives the time, not its signal", async () => {
  const controller = new AbortController();
  const { clock, ends, end } = begin(controller.signal);
  const reasons = reasonsOf(end);
  end.release();
  controller.abort("enough");
  ends.closeAll("closed");
  await clock.advance(5_000);
  expect([reasons, clock.pending()]).toEqual([[], 0]);

  const stream = begin();
  stream.end.endTime();
  await stream.clock.advance(5_000);
  expect(stream.end.reason).toBeUndefined();
  stream.ends.closeAll("closed");
  expect(stream.end.reason).toBe("closed");
});
