import fc from "fast-check";
import { expect, it } from "vitest";
import { createSemaphore } from "./semaphore.ts";

it("grants its permits in order, and loses none when waiting callers give up", async () => {
  const visitor = fc.record({ turns: fc.nat(3), gone: fc.option(fc.nat(6), { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(visitor, { maxLength: 12 }),
      async (permits, all) => {
        const semaphore = createSemaphore(permits);
        const entered: number[] = [];
        let inside = 0;
        const turn = () => new Promise((resolve) => setImmediate(resolve));
        const visits = all.map(async ({ turns, gone }, index) => {
          const end = new AbortController();
          if (gone === 0) end.abort(new Error("gone"));
          const leaving = (async () => {
            for (let n = 0; n < (gone ?? 0); n++) await turn();
            if (gone !== undefined) end.abort(new Error("gone"));
          })();
          try {
            const release = await semaphore.acquire(end.signal);
            entered.push(index);
            expect(++inside).toBeLessThanOrEqual(permits);
            for (let n = 0; n < turns; n++) await turn();
            inside--;
            release();
            release();
          } catch (error) {
            expect(error).toEqual(new Error("gone"));
          }
          await leaving;
        });
        await Promise.all(visits);
        expect(entered).toEqual(entered.toSorted((one, other) => one - other));
        for (let n = 0; n < permits; n++) await semaphore.acquire();
      },
    ),
  );
});
