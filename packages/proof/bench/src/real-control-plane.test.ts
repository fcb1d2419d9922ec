import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPeer, timeRealControlPlane } from "./real-control-plane.ts";

it("has no peer where neither KUBEBUILDER_ASSETS nor the cache has one, and builds none", async () => {
  const empty = await mkdtemp(join(tmpdir(), "assets-"));
  const env = { KUBEBUILDER_ASSETS: empty, XDG_CACHE_HOME: empty, HOME: empty, PATH: process.env.PATH };
  expect(await findPeer(env)).toBeUndefined();
  await rm(empty, { recursive: true });
});

const peer = await findPeer(process.env);
// Where no real control plane is at hand there is nothing to time.
it.runIf(peer)(
  "starts the real control plane and stops it",
  async () => {
    if (peer) expect(await timeRealControlPlane(peer)).toBeGreaterThan(0);
  },
  60_000,
);
