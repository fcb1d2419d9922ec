import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { controlPlaneAssets, timeRealControlPlane } from "./real-control-plane.ts";

it("takes KUBEBUILDER_ASSETS only if both programs are there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assets-"));
  expect(controlPlaneAssets({})).toBeUndefined();
  await writeFile(join(folder, "etcd"), "");
  expect(controlPlaneAssets({ KUBEBUILDER_ASSETS: folder })).toBeUndefined();
  await writeFile(join(folder, "kube-apiserver"), "");
  expect(controlPlaneAssets({ KUBEBUILDER_ASSETS: folder })).toBe(folder);
  await rm(folder, { recursive: true });
});

const assets = controlPlaneAssets(process.env);
it.runIf(assets)("starts the real control plane and gets an answer", async () => {
  expect(await timeRealControlPlane(assets ?? "")).toBeGreaterThan(0);
});
