import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { shareAttempt } from "./shared-attempt.ts";

/** Attempts that the test ends. */
function startAttempts() {
  const started: { signal: AbortSignal; end: (answer: string) => void }[] = [];
  const ask = shareAttempt((signal) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    started.push({ signal, end: resolve });
    return promise;
  });
  return { started, ask };
}

test("starts the next attempt after the end of an aborted one", async () => {
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

test("does not start an attempt whose calls abort first, and the next one still waits for the first", async () => {
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
