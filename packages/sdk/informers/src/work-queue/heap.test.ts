import fc from "fast-check";
import { expect, test } from "vitest";
import { createHeap, type HeapNode } from "./heap.ts";

interface Ranked extends HeapNode {
  rank: number;
}

test("empties in order after any pushes, moves and removals", () => {
  const step = fc.tuple(
    fc.constantFrom("push", "push", "push", "move", "remove", "pop"),
    fc.nat(),
    fc.nat(99),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
      const heap = createHeap<Ranked>((a, b) => a.rank < b.rank);
      const inside: Ranked[] = [];
      const popped: [number, number][] = [];
      for (const [what, which, rank] of steps) {
        const node = inside[which % inside.length];
        if (what === "push") {
          const pushed = { rank, place: -1 };
          inside.push(pushed);
          heap.push(pushed);
        } else if (what === "move" && node) {
          node.rank = rank;
          heap.moved(node);
        } else if (node) {
          if (what === "remove") heap.remove(node);
          const left = what === "remove" ? node : (heap.pop() as Ranked);
          if (what === "pop") popped.push([left.rank, Math.min(...inside.map((any) => any.rank))]);
          inside.splice(inside.indexOf(left), 1);
        }
      }
      expect([heap.size, popped.map(([rank]) => rank)]).toEqual([
        inside.length,
        popped.map(([, lowest]) => lowest),
      ]);
      const out = inside.map(() => heap.pop()?.rank);
      expect(out).toEqual(inside.map(({ rank }) => rank).sort((a, b) => a - b));
      expect([heap.pop(), heap.first()]).toEqual([undefined, undefined]);
    }),
    { numRuns: 1_000, seed: 20261121 },
  );
});
