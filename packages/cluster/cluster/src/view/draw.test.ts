import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "./draw.ts";
import { draw } from "./draw.ts";

const snapshot: Snapshot = {
  nodes: [
    {
      name: "dev-control-plane",
      ready: true,
      pods: [
        { namespace: "shop", name: "payment-7d9f8c6b5-x2k7p", status: "Running", ready: [1, 1] },
        { namespace: "default", name: "typo", status: "ImagePullBackOff", ready: [0, 1] },
      ],
    },
    { name: "dev-worker", ready: false, pods: [] },
  ],
  unscheduled: [{ namespace: "default", name: "waiting", status: "Pending", ready: [0, 2] }],
  namespaces: ["default", "kube-system", "shop"],
};

describe("draw", () => {
  it("shows nodes as boxes beside each other, with their Pods by namespace", () => {
    expect(`\n${draw(snapshot, { width: 100, color: false })}\n`).toBe(`
╭─ dev-control-plane ─────────────────── Ready ─╮ ╭─ dev-worker ─────────────────────── NotReady ─╮
│ default                                       │ │ no Pods                                       │
│   ○ typo                 0/1 ImagePullBackOff │ ╰───────────────────────────────────────────────╯
│ shop                                          │
│   ● payment-7d9f8c6b5-x2k7p       1/1 Running │
╰───────────────────────────────────────────────╯
on no node:
default
  ◐ waiting                           0/2 Pending
no Pods in: kube-system
`);
  });

  it("stacks the boxes in a narrow terminal", () => {
    const lines = draw(snapshot, { width: 60, color: false }).split("\n");
    expect(lines.filter((line) => line.startsWith("╭─"))).toHaveLength(2);
    expect(Math.max(...lines.map(({ length }) => length))).toBe(60);
  });

  it("is never wider than the terminal, and colours take no columns", () => {
    const word = fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
      .map((text) => text.replace(/\s/g, "x"));
    const pod = fc.record({
      namespace: word,
      name: word,
      status: word,
      ready: fc.tuple(fc.nat(9), fc.nat(9)),
    });
    const node = fc.record({ name: word, ready: fc.boolean(), pods: fc.array(pod, { maxLength: 4 }) });
    const any = fc.record({
      nodes: fc.array(node, { maxLength: 4 }),
      unscheduled: fc.array(pod, { maxLength: 2 }),
      namespaces: fc.constant([]),
    });
    fc.assert(
      fc.property(any, fc.integer({ min: 44, max: 200 }), (some, width) => {
        const plain = draw(some, { width, color: false });
        expect(Math.max(...plain.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(width);
        expect(stripVTControlCharacters(draw(some, { width, color: true }))).toBe(plain);
      }),
    );
  });
});
