import { expect, test } from "vitest";
import { benchHelm } from "./helm.ts";

test("measures reconciles of unchanged releases, which neither run helm nor send requests", {
  timeout: 600_000,
}, async () => {
  const lines: string[] = [];
  const { signal } = new AbortController();
  await benchHelm({ runs: 1, quick: true, write: undefined, print: (line) => lines.push(line), signal });
  const text = lines.join("\n");
  expect(text).toMatch(/\| a reconcile +\| +\d+\.\d+ \| +0 \| +0 \|/);
  expect(text).toMatch(/\d+ times less \(aim: 100, /);
});
