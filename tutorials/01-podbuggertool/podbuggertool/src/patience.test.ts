import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createPatience } from "./patience.ts";

const pod = (name: string, generation = 1): Pod => ({
  metadata: { name, namespace: "shop", uid: `uid-of-${name}`, generation },
  spec: { containers: [{ name: "app", image: `app:${generation}` }] },
});

test("counts down from 120 seconds, for each Pod on its own", async () => {
  const clock = createFakeClock();
  const patience = createPatience(clock);
  assert.equal(patience.left(pod("a")), 120_000);
  await clock.advance(50_000);
  assert.equal(patience.left(pod("a")), 70_000);
  assert.equal(patience.left(pod("b")), 120_000);
});

test("returns 0 once when time has run out, and then undefined", async () => {
  const clock = createFakeClock();
  const patience = createPatience(clock);
  patience.left(pod("a"));
  await clock.advance(200_000);
  assert.deepEqual([patience.left(pod("a")), patience.left(pod("a"))], [0, undefined]);
});

test("starts again when the Pod's spec has changed", async () => {
  const clock = createFakeClock();
  const patience = createPatience(clock);
  patience.left(pod("a"));
  await clock.advance(200_000);
  const left = patience.left(pod("a", 2));
  assert.ok(left === 120_000, `after a change of the spec, ${left} is left, and not 120 seconds`);
  await clock.advance(50_000);
  assert.equal(patience.left(pod("a", 2)), 70_000);
});

test("starts again when the Pod was forgotten", async () => {
  const clock = createFakeClock();
  const patience = createPatience(clock);
  patience.left(pod("a"));
  await clock.advance(50_000);
  patience.forget(pod("b"));
  assert.equal(patience.left(pod("a")), 70_000);
  patience.forget(pod("a"));
  const left = patience.left(pod("a"));
  assert.ok(left === 120_000, `after forget, ${left} is left, and not 120 seconds`);
});
