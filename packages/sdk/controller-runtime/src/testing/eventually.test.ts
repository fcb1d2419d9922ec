import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { eventually } from "./eventually.ts";

test("calls until it holds, and reports the last failure when it never does", async () => {
  const clock = createFakeClock();
  let looks = 0;
  const third = eventually(
    () => {
      looks++;
      if (looks < 3) throw new Error(`only ${looks}`);
      return "there";
    },
    { clock, interval: 100 },
  );
  await clock.advance(200);
  expect([await third, looks]).toEqual(["there", 3]);

  const never = eventually(() => Promise.reject(new Error("no Pod")), { clock, timeout: 1_000 });
  never.catch(() => {});
  await clock.advance(1_100);
  await expect(never).rejects.toThrow("not within 1 s: no Pod");

  const stop = new AbortController();
  const stopped = eventually(() => Promise.reject(new Error("no Pod")), { clock, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
});

test("stops waiting for a call that never returns, and reports the failure before it", async () => {
  const clock = createFakeClock();
  let looks = 0;
  const stuck = eventually(
    () => {
      if (looks++ === 0) throw new Error("no Pod");
      return new Promise(() => {});
    },
    { clock, timeout: 1_000 },
  );
  stuck.catch(() => {});
  await clock.advance(1_000);
  await expect(stuck).rejects.toThrow(/^not within 1 s: no Pod$/);
  expect(clock.pending()).toBe(0);
});
