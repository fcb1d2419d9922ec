import { expect, test } from "vitest";
import { createRequestEnds, type RequestEnd } from "./request-end.ts";
import { createFakeClock } from "./testing/fake-clock.ts";

function begin(signal?: AbortSignal) {
  const clock = createFakeClock();
  const ends = createRequestEnds();
  const end = ends.begin({ clock, timeout: 1_000, timeoutMessage: "silent", signal });
  return { clock, ends, end };
}

const reasonsOf = (end: RequestEnd) => {
  const reasons: unknown[] = [];
  end.onEnd((reason) => reasons.push(reason));
  return reasons;
};

test("ends after the timeout without a sign of life, and not before", async () => {
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

test("ends once, by its caller's signal or its client, even if that ended before the request", () => {
  const controller = new AbortController();
  const { ends, end } = begin(controller.signal);
  const reasons = reasonsOf(end);
  controller.abort("enough");
  ends.closeAll("closed");
  expect([reasons, end.reason, end.endedBy]).toEqual([["enough"], "enough", "caller"]);
  expect(reasonsOf(begin(AbortSignal.abort("before")).end)).toEqual(["before"]);
  const clock = createFakeClock();
  expect(ends.begin({ clock, timeout: 1, timeoutMessage: "", signal: undefined }).reason).toBe("closed");
  expect(clock.pending()).toBe(0);
});

test("leaves nothing behind when it is done; a stream outlives the timeout but not its signal", async () => {
  const controller = new AbortController();
  const { clock, ends, end } = begin(controller.signal);
  const reasons = reasonsOf(end);
  end.release();
  controller.abort("enough");
  ends.closeAll("closed");
  await clock.advance(5_000);
  expect([reasons, clock.pending()]).toEqual([[], 0]);

  const stream = begin();
  stream.end.stopTimeout();
  await stream.clock.advance(5_000);
  expect(stream.end.reason).toBeUndefined();
  stream.ends.closeAll("closed");
  expect(stream.end.reason).toBe("closed");
});
