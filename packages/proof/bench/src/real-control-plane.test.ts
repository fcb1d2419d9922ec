import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPeer } from "./real-control-plane.ts";

it("finds no peer without KUBEBUILDER_ASSETS and cache, and builds none", async () => {
  const empty = await mkdtemp(join(tmpdir(), "assets-"));
  const env = { KUBEBUILDER_ASSETS: empty, XDG_CACHE_HOME: empty, HOME: empty, PATH: process.env.PATH };
  expect(await findPeer(env)).toBeUndefined();
  await rm(empty, { recursive: true });
});
