import { expect, test } from "vitest";
import { requireNode } from "./require-node.ts";

test.each(["22.19.0", "22.20.1", "24.0.0", "26.10.0"])("accepts Node %s where 22.19 is needed", (running) => {
  expect(() => requireNode("@operator-path/client", "22.19", running)).not.toThrow();
});

test.each(["22.18.9", "20.20.2", "21.99.0"])("refuses Node %s where 22.19 is needed", (running) => {
  expect(() => requireNode("@operator-path/client", "22.19", running)).toThrow(
    `@operator-path/client needs Node 22.19 or newer, and this is Node ${running}`,
  );
});
