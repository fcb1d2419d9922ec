import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindNodeImage } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCluster } from "./create-cluster.ts";
import { deleteCluster } from "./delete-cluster.ts";
import { findEngine } from "./engine/find-engine.ts";
import { ensureCluster } from "./ensure-cluster.ts";
import type { KindError } from "./errors/kind-error.ts";
import { exportLogs, getKubeconfig, listClusters, listNodes } from "./get.ts";
import { loadDockerImages, loadImageArchive } from "./load-images.ts";
import { engineProxy } from "./testing/engine-proxy.ts";

const image = process.env.KIND_NODE_IMAGE || kindNodeImage;
const engine = await findEngine().catch((error: KindError) => error.cause);
const program = typeof engine === "string" ? "docker" : engine.name;
const why =
  typeof engine === "string" ? engine : (await hasImage()) ? undefined : `there is no image ${image}`;
// If kind is required, as in hosted CI, a missing part is a failure.
const isRequired = Boolean(process.env.KIND_REQUIRED);
const isSkipped = why !== undefined && !isRequired;
const onKind = it.skipIf(isSkipped);
const title = isSkipped ? ` (skipped: ${why})` : "";

const name = `kind-test-${process.pid}`;
const nodes = [`${name}-control-plane`, `${name}-worker`];
const twoNodes = { kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4" } as const;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "real-kind-"));
  env = { ...process.env, HOME: folder, KUBECONFIG: join(folder, "kubeconfig") };
});
afterEach(async () => {
  if (why === undefined) await deleteCluster({ env, name });
  await rm(folder, { recursive: true, force: true });
});

onKind(`a cluster's whole life${title}`, { timeout: 900_000 }, async () => {
  const config = { ...twoNodes, nodes: [{ role: "control-plane" as const }, { role: "worker" as const }] };
  const cluster = await createCluster({ env, name, config });
  expect(cluster).toEqual({ name, nodes, context: `kind-${name}`, kubeconfigPath: env.KUBECONFIG });
  const state = await ensureCluster({ env, name });
  expect(state).toMatchObject({ nodes, version: expect.stringMatching(/^v1\.36\./) });
  expect(await listClusters({ env })).toContain(name);
  expect(await listNodes(name, { env })).toEqual(nodes);
  expect(await getKubeconfig(name, { env, internal: true })).toContain(
    `server: https://${name}-control-plane:6443`,
  );
  await expect(createCluster({ env, name })).rejects.toMatchObject({ problem: "name-exists" });

  await writeFile(join(folder, "Dockerfile"), "FROM scratch\nCOPY hello /\n");
  await writeFile(join(folder, "hello"), name);
  const tags = [`${name}:v1`, `${name}:v2`] as const;
  for (const tag of tags) await inEngine("build", "--tag", tag, folder);
  await loadDockerImages([tags[0]], { env, name });
  await inEngine("save", "--output", join(folder, "image.tar"), tags[1]);
  await loadImageArchive(join(folder, "image.tar"), { env, name });
  // The load has left it no other name.
  await inEngine("rmi", ...tags);
  // An archive contains podman's name.
  const archived = program === "podman" ? "localhost" : "docker.io/library";
  const loaded = [`docker.io/library/${tags[0]}`, `${archived}/${tags[1]}`];
  for (const node of nodes) {
    const there = await inEngine("exec", node, "ctr", "--namespace", "k8s.io", "images", "ls", "--quiet");
    expect(there.split("\n")).toEqual(expect.arrayContaining(loaded));
  }
  await expect(loadDockerImages([tags[0]], { env, name })).rejects.toMatchObject({
    problem: "image-missing",
  });
  await expect(loadDockerImages([image], { env, name, nodes: ["missing"] })).rejects.toMatchObject({
    problem: "no-cluster",
  });

  const logs = await exportLogs(name, join(folder, "logs"), { env });
  expect(await readdir(logs)).toEqual(expect.arrayContaining(nodes));
  const volumes = (
    await inEngine("inspect", "--format", "{{range .Mounts}}{{.Name}} {{end}}", ...nodes)
  ).split(/\s+/);
  expect(await deleteCluster({ env, name })).toBe(true);
  await nothingLeft();
  const left = (await inEngine("volume", "ls", "--quiet")).split("\n");
  expect(volumes.filter((volume) => volume !== "" && left.includes(volume))).toEqual([]);
});

onKind(`what it is refused for${title}`, { timeout: 300_000 }, async () => {
  const words = { env, name };
  await expect(createCluster({ ...words, image: "localhost:1/no-such-node:v1" })).rejects.toMatchObject({
    problem: "image-pull",
    cause: "the image localhost:1/no-such-node:v1 is not on this machine and could not be pulled",
  });
  const server = createServer().listen(0, "0.0.0.0");
  await once(server, "listening");
  const { port: hostPort } = server.address() as { port: number };
  const config = { ...twoNodes, nodes: [{ extraPortMappings: [{ containerPort: 80, hostPort }] }] };
  await expect(
    createCluster({ ...words, config: { ...config, nodes: [...config.nodes] } }),
  ).rejects.toMatchObject({
    problem: "port-taken",
    cause: `port ${hostPort} on this machine is already in use`,
  });
  server.close();
  await expect(exportLogs(name, join(folder, "logs"), { env })).rejects.toMatchObject({
    problem: "no-cluster",
  });
  await expect(getKubeconfig(name, { env })).rejects.toMatchObject({ problem: "no-cluster" });
  await expect(loadDockerImages([image], words)).rejects.toMatchObject({ problem: "no-cluster" });
  await nothingLeft();
});

onKind.each(["Preparing nodes", "Starting control-plane"])(
  `an interrupted creation leaves nothing: %s${title}`,
  { timeout: 300_000 },
  async (step) => {
    const controller = new AbortController();
    const creating = createCluster({
      env,
      name,
      signal: controller.signal,
      onProgress: (event) => event.type === "begun" && event.step === step && controller.abort(),
    });
    await expect(creating).rejects.toMatchObject({ problem: "aborted" });
    await nothingLeft();
  },
);

const socket = /^unix:\/\/(.*)/.exec(process.env.DOCKER_HOST ?? "unix:///var/run/docker.sock")?.[1];
// kind runs podman's program, which has no socket to cut.
it.skipIf(
  isSkipped || program !== "docker" || (!isRequired && (socket === undefined || !existsSync(socket))),
)(
  `an engine that stops in the middle is reported, with what is left${title}`,
  { timeout: 300_000 },
  async () => {
    const proxy = await engineProxy(folder, socket ?? "");
    const creating = createCluster({
      env: { ...env, DOCKER_HOST: proxy.host },
      name,
      onProgress: (event) =>
        void (event.type === "begun" && event.step === "Starting control-plane" && proxy.cut()),
    });
    await expect(creating).rejects.toMatchObject({
      problem: "engine-not-running",
      fix: expect.stringContaining(`pnpm kind-down --name ${name}`),
    });
    expect(await deleteCluster({ env, name })).toBe(true);
    await nothingLeft();
  },
);

async function nothingLeft(): Promise<void> {
  expect(await inEngine("ps", "--all", "--quiet", "--filter", `label=io.x-k8s.kind.cluster=${name}`)).toBe(
    "",
  );
  expect(existsSync(join(folder, "kubeconfig"))).toBe(false);
}

async function inEngine(...args: string[]): Promise<string> {
  const { stdout } = await execa(program, args, { env: { DOCKER_BUILDKIT: "0" } });
  return stdout;
}

async function hasImage(): Promise<boolean> {
  return inEngine("image", "inspect", image).then(
    () => true,
    () => false,
  );
}
