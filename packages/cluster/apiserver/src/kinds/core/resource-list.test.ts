import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { podResources } from "./pod/resources.ts";
import {
  addResources,
  equalResources,
  exceededResources,
  readResourceList,
  subtractResources,
  writeResourceList,
} from "./resource-list.ts";

const amount = fc
  .tuple(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom("", "m", "Mi", "Gi", "k"))
  .map(([value, suffix]) => `${value}${suffix}`);
const list = fc.dictionary(fc.constantFrom("cpu", "memory", "pods"), amount).map(readResourceList);

test("subtracts what it has added", () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const back = subtractResources(addResources(a, b), b);
      const kept = Object.fromEntries(Object.entries(back).filter(([name]) => a[name] !== undefined));
      expect(equalResources(kept, a)).toBe(true);
      expect(exceededResources(a, addResources(a, b))).toEqual([]);
    }),
  );
});

test("reads the list that it has written", () => {
  fc.assert(
    fc.property(list, (one) => {
      expect(equalResources(readResourceList(writeResourceList(one)), one)).toBe(true);
    }),
  );
});

describe("resources of a whole Pod", () => {
  const container = (cpu: string, more = {}) => ({ resources: { requests: { cpu } }, ...more });
  const cpu = (spec: Parameters<typeof podResources>[0]) =>
    writeResourceList(podResources(spec, "requests")).cpu;

  test.each([
    ["the sum of its containers", { containers: [container("300m"), container("0.2")] }, "500m"],
    [
      "an init container that takes more alone",
      { containers: [container("300m")], initContainers: [container("1"), container("100m")] },
      "1",
    ],
    [
      "sidecars, which go on, beside the others",
      {
        containers: [container("300m")],
        initContainers: [container("100m", { restartPolicy: "Always" }), container("350m")],
      },
      "450m",
    ],
    [
      "resources of the Pod itself",
      { containers: [container("300m")], resources: { requests: { cpu: "2" } } },
      "2",
    ],
  ])("%s", (_what, spec, expected) => {
    expect(cpu(spec)).toBe(expected);
  });
});
