import { expect, test } from "vitest";
import { requests } from "./resources.ts";

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
