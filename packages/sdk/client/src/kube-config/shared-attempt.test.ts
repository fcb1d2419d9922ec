import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { shareAttempt } from "./shared-attempt.ts";

/** Attempts that end when the test says so. */
function startAttempts() {
  const started: { signal: AbortSignal; end: (answer: string) => void }[] = [];
  const ask = shareAttempt((signal) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    started.push({ signal, end: resolve });
    return promise;
  });
  return { started, ask };
}

test("the next attempt starts once the one that nobody waits for any longer is over", async () => {
  const { started, ask } = startAttempts();
  const leaving = new AbortController();
  const first = ask(leaving.signal);
  await setImmediate();
  leaving.abort();
  await expect(first).rejects.toBe(leaving.signal.reason);
  expect(started[0]?.signal.aborted).toBe(true);

  const second = ask();
  await setImmediate();
  expect(started).toHaveLength(1);
  started[0]?.end("too late");
  await setImmediate();
  expect(started).toHaveLength(2);
  started[1]?.end("in time");
  expect(await second).toBe("in time");
});

test("one that is left before it has started does not start, and another waits for the first all the same", async () => {
  const { started, ask } = startAttempts();
  for (const _ of [1, 2]) {
    const leaving = new AbortController();
    const left = ask(leaving.signal);
    await setImmediate();
    leaving.abort();
    await expect(left).rejects.toBe(leaving.signal.reason);
  }
  const last = ask();
  await setImmediate();
  expect(started).toHaveLength(1);
  started[0]?.end("too late");
  await setImmediate();
  started[1]?.end("in time");
  expect(await last).toBe("in time");
  expect(started).toHaveLength(2);
});
