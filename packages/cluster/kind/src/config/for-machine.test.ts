import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Engine } from "../engine/engine.ts";
import { forMachine } from "./for-machine.ts";
import { parseKindConfig } from "./read-config.ts";

const engine: Engine = { name: "docker", path: "/usr/bin/docker", version: "29.0.0", cgroup: 2 };
const config = (text: string) =>
  parseKindConfig(`kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n${text}`, "k.yaml");
const twoNodes = config("nodes: [{role: control-plane}, {role: worker, image: mine:1}]\n");

it("gives each node the image of this project's Kubernetes version, unless it has its own", () => {
  const nodes = [
    { role: "control-plane", image: "kindest/node:v1.36.4" },
    { role: "worker", image: "mine:1" },
  ];
  expect(parse(forMachine(twoNodes, { engine }))).toEqual({ ...twoNodes, nodes });
  const all = nodes.map((node) => ({ ...node, image: "lab:2" }));
  expect(parse(forMachine(twoNodes, { engine, image: "lab:2" }))).toEqual({ ...twoNodes, nodes: all });
});

it("makes the one node of kind's default explicit", () => {
  expect(parse(forMachine(config(""), { engine }))).toMatchObject({ nodes: [{ role: "control-plane" }] });
});

it("lets the kubelet start on cgroup v1, in addition to existing patches", () => {
  const own = config('kubeadmConfigPatches: ["kind: ClusterConfiguration"]\n');
  const on = (cgroup: 1 | 2, from: typeof own) => parse(forMachine(from, { engine: { ...engine, cgroup } }));
  expect(on(1, own).kubeadmConfigPatches).toEqual([
    "kind: ClusterConfiguration",
    "kind: KubeletConfiguration\nfailCgroupV1: false\n",
  ]);
  expect(on(2, own).kubeadmConfigPatches).toEqual(["kind: ClusterConfiguration"]);
  const decided = config('kubeadmConfigPatches: ["kind: KubeletConfiguration\\nfailCgroupV1: true"]\n');
  expect(on(1, decided).kubeadmConfigPatches).toHaveLength(1);
});

it("configures containerd for a registry, if there is one", () => {
  const [patch] = parse(forMachine(twoNodes, { engine, registry: true })).containerdConfigPatches;
  expect(patch).toContain('config_path = "/etc/containerd/certs.d"');
});
