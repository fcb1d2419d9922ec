import type { EndpointSlice } from "@operator-path/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planSlices } from "./endpoint-slice.ts";

const ports = [{ name: "http", port: 80, protocol: "TCP" }];

function endpoint(number: number) {
  return {
    addresses: [`10.244.${Math.floor(number / 250)}.${number % 250}`],
    targetRef: { kind: "Pod", name: `pod-${number}`, uid: `uid-${number}` },
  };
}

/** Returns the slices after a plan. */
function apply(slices: EndpointSlice[], plan: ReturnType<typeof planSlices>): EndpointSlice[] {
  let names = slices.length;
  const kept = slices.filter((slice) => !plan.remove.includes(slice));
  const updated = kept.map((slice) => {
    const change = plan.update.find((update) => update.slice === slice);
    return change === undefined ? slice : { ...slice, ...change.content };
  });
  return [
    ...updated,
    ...plan.create.map((content) => ({ metadata: { name: `s${++names}-${Math.random()}` }, ...content })),
  ];
}

test("every endpoint is in one slice, no slice is too full, and a second plan is empty, after any change", () => {
  const generation = fc.uniqueArray(fc.nat(400), { maxLength: 350 });
  fc.assert(
    fc.property(fc.array(generation, { minLength: 1, maxLength: 4 }), (generations) => {
      let slices: EndpointSlice[] = [];
      for (const numbers of generations) {
        const groups = [{ ports, endpoints: numbers.map(endpoint) }];
        slices = apply(
          slices,
          planSlices("IPv4", groups, slices, () => false),
        );
        const present = slices
          .flatMap(({ endpoints }) => endpoints ?? [])
          .map(({ targetRef }) => targetRef?.name);
        expect(present.toSorted()).toEqual(numbers.map((number) => `pod-${number}`).sort());
        expect(slices.every(({ endpoints }) => (endpoints ?? []).length <= 100)).toBe(true);
        expect(slices.length).toBeGreaterThan(0);
        expect(planSlices("IPv4", groups, slices, () => false)).toEqual({
          create: [],
          update: [],
          remove: [],
        });
      }
    }),
    { numRuns: 60 },
  );
});

test("one more endpoint needs one write", () => {
  const numbers = Array.from({ length: 150 }, (_, index) => index);
  const before = planSlices("IPv4", [{ ports, endpoints: numbers.map(endpoint) }], [], () => false);
  expect(before.create.map(({ endpoints }) => endpoints.length)).toEqual([100, 50]);
  const slices = apply([], before);
  const plan = planSlices(
    "IPv4",
    [{ ports, endpoints: [...numbers, 150].map(endpoint) }],
    slices,
    () => false,
  );
  expect([plan.create.length, plan.update.length, plan.remove.length]).toEqual([0, 1, 0]);
});
