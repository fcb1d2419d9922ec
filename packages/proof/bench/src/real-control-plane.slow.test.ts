import { expect, it } from "vitest";
import { findPeer, timeRealControlPlane } from "./real-control-plane.ts";

const peer = await findPeer(process.env);
// Without a real control plane there is nothing to measure.
it.runIf(peer)("starts the real control plane and stops it", async () => {
  if (peer) expect(await timeRealControlPlane(peer)).toBeGreaterThan(0);
});
