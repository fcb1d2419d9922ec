import assert from "node:assert/strict";
import { test } from "node:test";
import { containerName } from "./tool-container.ts";

for (const [image, name] of [
  ["busybox", "ephemeral-busybox"],
  ["busybox:1.36", "ephemeral-busybox"],
  ["registry:5000/team/busybox:1.36", "ephemeral-busybox"],
  ["ghcr.io/Team/Net_Tools@sha256:0a1b", "ephemeral-net-tools"],
  [`registry/${"x".repeat(200)}`, `ephemeral-${"x".repeat(40)}`],
  [`registry/${"x".repeat(39)}-y`, `ephemeral-${"x".repeat(39)}`],
] as const) {
  test(`${image} → ${name}`.replace(/x{9,}/g, "x…x"), () =>
    assert.equal(containerName(image, new Set()), name),
  );
}

test("a name that is taken gets a number", () => {
  assert.equal(containerName("busybox", new Set(["ephemeral-busybox"])), "ephemeral-busybox-2");
});
