import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { createCluster } from "./create-cluster.ts";
import { deleteCluster } from "./delete-cluster.ts";
import type { KindEvent } from "./progress.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

it("creates a cluster, reports each step once, and returns where it is", async () => {
  const events: KindEvent[] = [];
  const { env } = machine;
  const config = { file: await configFile("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: dev\n") };
  const cluster = await createCluster({ env, config, onProgress: (event) => events.push(event) });
  expect(cluster).toEqual({
    name: "dev",
    context: "kind-dev",
    kubeconfigPath: env.KUBECONFIG,
    nodes: ["dev-control-plane", "dev-worker"],
  });
  expect(events.map((event) => `${event.type} ${event.type === "note" ? event.text : event.step}`)).toEqual([
    'note Creating cluster "dev"',
    "begun Preparing nodes",
    "done Preparing nodes",
    "begun Waiting for all nodes to be Ready",
    "done Waiting for all nodes to be Ready",
  ]);
  expect(parse(await machine.read("config"))).toMatchObject({ nodes: [{ image: "kindest/node:v1.36.4" }] });
});

it("removes what it created when kind fails, with kind's message", async () => {
  const text =
    'ERROR: failed to create cluster: failed to pull image "x": command failed\nCommand Output: Error response from daemon: manifest for x not found: manifest unknown';
  await machine.write("fail", text);
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    name: "KindError",
    problem: "image-pull",
    cause: "the registry has no image x",
    command: expect.stringMatching(/^kind create cluster --name dev/),
    output: expect.stringContaining("manifest unknown"),
  });
  await nothingLeft();
});

it("reads the cause from the nodes if kind only timed out", async () => {
  await machine.write(
    "fail",
    "ERROR: failed to create cluster: failed to init node with kubeadm: timed out waiting for the condition",
  );
  await machine.write(
    "journal",
    "kubelet: connection refused\nFailed to allocate manager object: Too many open files\n",
  );
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "inotify",
    fix: expect.stringContaining("fs.inotify.max_user_instances"),
    message: expect.stringContaining("\n  Failed to allocate manager object: Too many open files\n"),
  });
  await nothingLeft();
});

it("keeps the nodes with retain", async () => {
  await machine.write("fail", "ERROR: failed to create cluster: whatever");
  const error = await createCluster({ env: machine.env, name: "dev", retain: true }).catch((e: unknown) => e);
  expect(error).toMatchObject({ problem: "unknown", cause: "failed to create cluster: whatever" });
  expect(await machine.containers()).toEqual(["dev-control-plane", "dev-worker"]);
});

it("ends kind and all its processes when it is interrupted, and removes what they created", async () => {
  await machine.write("hang", "");
  const controller = new AbortController();
  const creating = createCluster({ env: machine.env, name: "dev", signal: controller.signal });
  const outcome = creating.catch((error: unknown) => error);
  const child = await vi.waitFor(async () => {
    const pid = Number(await machine.read("hanging"));
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
  controller.abort();
  expect(await outcome).toMatchObject({ problem: "aborted", fix: "The partly created cluster was removed." });
  expect(() => process.kill(child, 0)).toThrow("ESRCH");
  await nothingLeft();
});

it("reports what is left if the engine stops answering", async () => {
  const down =
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?";
  await machine.write("fail", `ERROR: failed to create cluster: ${down}`);
  const { env } = machine;
  const engine = { name: "docker", path: `${machine.folder}/bin/docker`, version: "29.0.0" } as const;
  const dies = `printf '#!/bin/sh\\necho "${down}" >&2; exit 1\\n' > "$STAND_IN/bin/docker"`;
  await machine.put(
    "kind",
    `[ "$1" = --version ] && echo "kind version 0.33.0" && exit\n${dies}\necho "ERROR: ${down}" >&2; exit 1\n`,
  );
  await expect(createCluster({ env, engine, name: "dev" })).rejects.toMatchObject({
    problem: "engine-not-running",
    fix: expect.stringMatching(/start docker.*\n.*could not be removed.*`pnpm kind-down --name dev`/s),
  });
});

it("leaves an existing cluster of the name alone", async () => {
  await createCluster({ env: machine.env, name: "dev" });
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "name-exists",
  });
  expect(await machine.containers()).toEqual(["dev-control-plane", "dev-worker"]);
});

it("rejects a configuration with a typo before anything starts", async () => {
  const config = {
    file: await configFile("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - rol: worker\n"),
  };
  await expect(createCluster({ env: machine.env, config })).rejects.toMatchObject({
    problem: "bad-config",
    what: `${config.file}:4`,
    cause: "nodes[0].rol: there is no such field: did you mean role?",
  });
  const written = {
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    nodes: [{ role: "worker" }],
  } as const;
  await expect(
    createCluster({ env: machine.env, config: { ...written, nodes: [...written.nodes] } }),
  ).rejects.toThrow("the configuration: nodes: at least one must have the role control-plane");
  expect(await machine.calls()).toEqual([""]);
});

it.each([
  ["My Cluster", "its name must consist of lower-case letters, digits, dots and dashes"],
  ["a".repeat(51), "its name must have at most 50 characters"],
])("rejects the name %s before anything starts", async (name, cause) => {
  await expect(createCluster({ env: machine.env, name })).rejects.toMatchObject({
    problem: "bad-config",
    cause,
    fix: "Choose another --name.",
  });
  expect(await machine.calls()).toEqual([""]);
});

it("deletes a cluster with its kubeconfig and network, and returns whether there was one", async () => {
  await createCluster({ env: machine.env, name: "dev" });
  await machine.write("containers/kindccm-dev-4f", "running");
  expect(await deleteCluster({ env: machine.env, name: "dev" })).toBe(true);
  await nothingLeft();
  expect(await deleteCluster({ env: machine.env, name: "dev" })).toBe(false);
  // No record of what was created remains either.
  expect(machine.exists(".local/state/operator-path")).toBe(false);
});

it("leaves what existed before it", async () => {
  await machine.write("network", "n0 kind\n");
  await machine.write("kubeconfig", "apiVersion: v1\nkind: Config\n");
  await createCluster({ env: machine.env, name: "dev" });
  expect(await machine.read("kubeconfig")).toContain("kind-dev");
  await deleteCluster({ env: machine.env, name: "dev" });
  expect(await machine.read("network")).toBe("n0 kind\n");
  expect(await machine.read("kubeconfig")).toBe("apiVersion: v1\nkind: Config\n");
});

it("leaves the network and the kubeconfig to a cluster that still uses them", async () => {
  const { env } = machine;
  for (const name of ["dev", "other"]) await createCluster({ env, name });
  await deleteCluster({ env, name: "dev" });
  expect(await machine.containers()).toEqual(["other-control-plane", "other-worker"]);
  expect(machine.exists("network")).toBe(true);
  expect(await machine.read("kubeconfig")).toContain("kind-other");
  await deleteCluster({ env, name: "other" });
  await nothingLeft();
});

it("does not touch the kubeconfig before the nodes are ready", async () => {
  await machine.write("kubeconfig", "clusters: [{name: mine}]\n");
  await machine.write("fail", "ERROR: failed to create cluster: whatever");
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "unknown",
  });
  expect(await machine.read("kubeconfig")).toBe("clusters: [{name: mine}]\n");
  expect((await machine.calls()).find((call) => call.startsWith("kind create"))).toMatch(
    /--kubeconfig \S+\/kind-\w+\/kubeconfig$/,
  );
});

it("removes the nodes that it has created if a foreign container has another node's name", async () => {
  await machine.write(
    "fail",
    'Error response from daemon: Conflict. The container name "/dev-worker2" is already in use by container 4f.',
  );
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "name-exists",
  });
  await nothingLeft();
});

it("leaves the nodes of another process that used the name first", async () => {
  await machine.write(
    "fail",
    'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "dev"',
  );
  await expect(createCluster({ env: machine.env, name: "dev" })).rejects.toMatchObject({
    problem: "name-exists",
  });
  expect(await machine.containers()).toEqual(["dev-control-plane", "dev-worker"]);
});

async function nothingLeft(): Promise<void> {
  expect(await machine.containers()).toEqual([]);
  expect(machine.exists("network")).toBe(false);
  expect(machine.exists("kubeconfig")).toBe(false);
}

async function configFile(text: string): Promise<string> {
  await machine.write("kind-cluster.yaml", text);
  return `${machine.folder}/kind-cluster.yaml`;
}

it("removes a container that the engine was still creating", async () => {
  await machine.write("hang", "");
  // As if the client had ended after its request: the container appears while others are listed.
  const controller = new AbortController();
  const outcome = createCluster({ env: machine.env, name: "dev", signal: controller.signal }).catch(
    (e: unknown) => e,
  );
  await vi.waitFor(() => expect(machine.exists("hanging")).toBe(true));
  controller.abort();
  await vi.waitFor(async () => {
    const calls = await machine.calls();
    expect(calls.some((call) => call.startsWith("docker rm"))).toBe(true);
  });
  await machine.write("containers/dev-worker2", "running");
  expect(await outcome).toMatchObject({ problem: "aborted" });
  await nothingLeft();
});
