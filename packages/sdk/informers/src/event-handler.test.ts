import fc from "fast-check";
import { expect, test } from "vitest";
import { createProcessor } from "./event-handler.ts";
import { EntryChange } from "./store/change.ts";
import { PlainEntry } from "./store/policies.ts";
import { emptyObjectSpan } from "./wire/object-span.ts";

const added = (name: string) =>
  new EntryChange("added", new PlainEntry(emptyObjectSpan(), { metadata: { name } }), undefined);

test("delivers events in order, even one that arrives as the handler finishes the previous one", async () => {
  const arrivals = fc.array(fc.record({ after: fc.nat(6), takes: fc.nat(4) }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(arrivals, async (events) => {
      const seen: string[] = [];
      const processor = createProcessor<{ metadata: { name: string } }>(
        {
          added({ metadata: { name } }) {
            const ticks = events[Number(name)]?.takes ?? 0;
            if (ticks === 0) return seen.push(name);
            return (async () => {
              for (let tick = 0; tick < ticks; tick++) await null;
              seen.push(name);
            })();
          },
        },
        (error) => expect.fail(String(error)),
        () => 0,
      );
      for (const [index, { after }] of events.entries()) {
        for (let tick = 0; tick < after; tick++) await null;
        processor.push(added(String(index)));
      }
      await processor.drained();
      expect(seen).toEqual(events.map((_, index) => String(index)));
    }),
  );
});
