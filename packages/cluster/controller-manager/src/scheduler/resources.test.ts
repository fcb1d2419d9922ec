import { expect, test } from "vitest";
import { quantity, requests } from "./resources.ts";

test.each([
  ["250m", 0.25],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["2e3", 2000],
  ["1k", 1000],
  ["128Ki", 131072],
  ["1E", 1e18],
])("%s is %d", (text, value) => {
  expect(quantity(text)).toBeCloseTo(value, 9);
});

test("what is no quantity is refused by name", () => {
  expect(() => quantity("12 apples")).toThrow('"12 apples"');
});

test("init containers ask for their maximum, sidecars are added to the rest", () => {
  const ask = (cpu: string) => ({ resources: { requests: { cpu } } });
  const containers = [
    { name: "a", ...ask("1") },
    { name: "b", ...ask("1") },
  ];
  const pod = (initContainers: object[]) => ({
    spec: { containers, initContainers: initContainers as typeof containers },
  });
  expect(requests(pod([])).get("cpu")).toBe(2);
  expect(requests(pod([{ name: "big", ...ask("3") }])).get("cpu")).toBe(3);
  const sidecar = { name: "proxy", restartPolicy: "Always", ...ask("1") };
  expect(requests(pod([sidecar])).get("cpu")).toBe(3);
  expect(requests(pod([sidecar, { name: "big", ...ask("3") }])).get("cpu")).toBe(4);
});
