import { afterEach, beforeEach, expect, it } from "vitest";
import { createCluster } from "./create-cluster.ts";
import { findEngine } from "./engine/find-engine.ts";
import { ensureCluster } from "./ensure-cluster.ts";
import { inspectCluster } from "./inspect-cluster.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
  await machine.write("nodes.json", nodeList("True"));
});
afterEach(() => machine[Symbol.asyncDispose]());

const nodes = ["dev-control-plane", "dev-worker"];

it("reports a healthy cluster with its version", async () => {
  expect(await inspectCluster("dev", { env: machine.env })).toEqual({ name: "dev", nodes: [] });
  await createCluster({ env: machine.env, name: "dev" });
  expect(await inspectCluster("dev", { env: machine.env })).toEqual({
    name: "dev",
    nodes,
    version: "v1.36.4",
  });
});

it("creates a cluster once, and then uses it", async () => {
  const creations = async () =>
    (await machine.calls()).filter((call) => call.startsWith("kind create cluster"));
  const first = await ensureCluster({ env: machine.env, name: "dev" });
  expect(first).toMatchObject({ created: true, differences: [] });
  const differences = ["cluster dev already existed: it has 1 of role worker, not 0"];
  expect(await ensureCluster({ env: machine.env, name: "dev" })).toEqual({
    ...first,
    created: false,
    differences,
  });
  const config = {
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    nodes: [{}, { role: "worker" }],
  } as const;
  const asItIs = {
    env: machine.env,
    name: "dev",
    config: { ...config, nodes: [...config.nodes] },
  };
  expect(await ensureCluster(asItIs)).toMatchObject({ differences: [] });
  expect(await ensureCluster({ ...asItIs, image: "kindest/node:v1.37.0" })).toMatchObject({
    differences: ["cluster dev already existed: it runs Kubernetes v1.36.4, not v1.37"],
  });
  expect(await creations()).toHaveLength(1);
  expect((await machine.calls()).at(-1)).toMatch(/^kind export kubeconfig --name dev/);
});

it.each([
  [
    "a stopped node",
    ["containers/dev-worker", "exited\n"],
    /^its node dev-worker is not running$/,
    "`docker start dev-worker`",
  ],
  [
    "a silent API server",
    ["nodes.json", "connection refused"],
    /API server does not answer/,
    "`pnpm kind-down --name dev`",
  ],
  [
    "a node that is not ready",
    ["nodes.json", nodeList("Unknown")],
    /^its node dev-worker is not Ready$/,
    "Check again in a minute",
  ],
] as const)("reports %s, and what to do", async (_name, [file, text], cause, fix) => {
  await createCluster({ env: machine.env, name: "dev" });
  await machine.write(file, text);
  await expect(ensureCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "unhealthy",
    what: "cluster dev exists, but cannot be used",
    cause: expect.stringMatching(cause),
    fix: expect.stringContaining(fix),
  });
  expect(await machine.containers()).toEqual(nodes);
});

it("reports nothing about a cluster if the engine does not answer", async () => {
  await createCluster({ env: machine.env, name: "dev" });
  const engine = await findEngine({ env: machine.env });
  const failing =
    'case "$1" in ps) echo dev-control-plane ;; *) echo "Error response from daemon: a hiccup" >&2; exit 1 ;; esac\n';
  await machine.put("docker", failing);
  await expect(inspectCluster("dev", { env: machine.env, engine })).rejects.toMatchObject({
    what: "cluster dev was not inspected",
    cause: "Error response from daemon: a hiccup",
  });
});

function nodeList(worker: string): string {
  const items = ["dev-control-plane", "dev-worker"].map((name) => ({
    metadata: { name },
    status: {
      nodeInfo: { kubeletVersion: "v1.36.4" },
      conditions: [{ type: "Ready", status: name === "dev-worker" ? worker : "True" }],
    },
  }));
  return JSON.stringify({ items });
}
