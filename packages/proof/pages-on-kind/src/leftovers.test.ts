import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@operator-path/kind";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { leftovers, lookBefore, type Traces, volumesOf } from "./leftovers.ts";

/** An engine with a node of the cluster `mine`, another node, and two volumes, of which the second is deleted later. */
const docker = `#!/bin/sh
case "$*" in
  "ps "*label=io.x-k8s.kind.cluster=mine*) echo mine-control-plane ;;
  "ps "*network=kind*) ;;
  "ps "*) ;;
  "inspect "*) printf 'v1\\nv2\\n' ;;
  "volume ls"*) printf 'v1\\nother\\n' ;;
  "network ls"*) printf 'bridge\\nkind\\n' ;;
esac
`;
let traces: Traces;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-left-"));
  const temporary = await mkdtemp(join(tmpdir(), "operator-path-left-"));
  for (const path of [folder, temporary]) onTestFinished(() => rm(path, { recursive: true, force: true }));
  const path = join(folder, "docker");
  await writeFile(path, docker);
  await chmod(path, 0o755);
  const engine: Engine = { name: "docker", path, version: "29.1.3" };
  traces = { engine, cluster: "mine", registry: "mine-registry", temporary };
});

it("names containers, volumes and files of the proof, and a new network", async () => {
  await writeFile(join(traces.temporary, "kubeconfig"), "");
  const volumes = await volumesOf(traces);
  const before = { ...(await lookBefore(traces)), network: false };
  expect(await leftovers(traces, before, volumes)).toEqual([
    "container mine-control-plane",
    "volume v1",
    "network kind",
    `file ${join(traces.temporary, "kubeconfig")}`,
  ]);
});

it("ignores an existing network, and names a changed kubeconfig", async () => {
  const before = await lookBefore(traces);
  expect(before.network).toBe(true);
  expect(await leftovers(traces, { ...before, kubeconfig: "another" }, [])).toEqual([
    "container mine-control-plane",
    "~/.kube/config has changed",
  ]);
});

it.runIf(process.platform === "linux")(
  "names a process with the temporary folder in its environment",
  async () => {
    const child = spawn("cat", {
      env: { TMPDIR: join(traces.temporary, "run") },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill());
    // Its environment exists once it runs.
    child.stdin.write("x");
    await once(child.stdout, "data");
    expect(await leftovers(traces, await lookBefore(traces), [])).toContain(`process ${child.pid}: cat`);
  },
);
