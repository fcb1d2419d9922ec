import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createChanges } from "./changes.ts";

/** Whether a promise has settled yet. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(() => (settled = true));
  await new Promise(setImmediate);
  return settled;
}

test("merges saves in quick succession into one change, timed from the first", async () => {
  const clock = createFakeClock();
  const changes = createChanges({ clock, quiet: 50 });
  const begun = clock.steady();
  for (const file of ["a.ts", "b.ts", "a.ts"]) {
    changes.note(file);
    await clock.advance(49);
  }
  expect(await isSettled(changes.settled())).toBe(false);
  await clock.advance(1);
  expect(await isSettled(changes.settled())).toBe(true);
  expect(changes.take()).toEqual({ files: new Set(["a.ts", "b.ts"]), at: begun, asked: false });
  expect(changes.take()).toBeUndefined();
  expect(await isSettled(changes.settled())).toBe(false);
});

test("a change taken before it settled does not settle later", async () => {
  const clock = createFakeClock();
  const changes = createChanges({ clock, quiet: 50 });
  changes.note("a.ts");
  expect(changes.take()?.files).toEqual(new Set(["a.ts"]));
  await clock.advance(1_000);
  expect(await isSettled(changes.settled())).toBe(false);
});

test("settles at once for a requested restart", async () => {
  const changes = createChanges({ clock: createFakeClock(), quiet: 50 });
  changes.ask();
  expect(await isSettled(changes.settled())).toBe(true);
  expect(changes.take()).toMatchObject({ files: new Set(), asked: true });
});
