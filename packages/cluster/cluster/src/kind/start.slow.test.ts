import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, namespaces, nodes } from "@operator-path/client";
import { deleteCluster, findEngine, listClusters } from "@operator-path/kind";
import { kindNodeImage } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openExistingCluster } from "../existing/open.ts";
import { reuseKindCluster } from "./reuse.ts";
import { startKindCluster } from "./start.ts";

const image = process.env.KIND_NODE_IMAGE ?? kindNodeImage;
const name = `op-test-${process.pid}`;
const missing = await whatIsMissing();
// If kind is required, as in hosted CI, a missing part is a failure.
const isSkipped = missing !== undefined && !process.env.KIND_REQUIRED;

/** Returns what is missing. Undefined if a cluster can be created without pulling a gigabyte. */
async function whatIsMissing(): Promise<string | undefined> {
  const engine = await findEngine().catch((error: Error) => error);
  if (engine instanceof Error) return engine.message.split("\n")[0];
  const { exitCode } = await execa(engine.path, ["image", "inspect", image], { reject: false });
  return exitCode === 0 ? undefined : `the engine has no image ${image}`;
}

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kind-home-"));
});
afterAll(async () => {
  if (missing === undefined) await deleteCluster({ name, kubeconfigPath: join(home, "none") });
  await rm(home, { recursive: true, force: true });
});

test.skipIf(isSkipped)(
  `a kind cluster is created, reused, opened as an existing one, and deleted${isSkipped ? ` (skipped: ${missing})` : ""}`,
  { timeout: 600_000 },
  async () => {
    const env = { ...process.env, KUBECONFIG: join(home, "config") };
    const steps: string[] = [];
    const cluster = await startKindCluster({
      ...{ name, env },
      onProgress: (event) => event.type === "done" && steps.push(event.step),
    });
    await using undo = new AsyncDisposableStack();
    undo.defer(() => cluster.stop());
    expect(steps.join()).toContain("Starting control-plane");
    expect((await stat(cluster.kubeconfigPath)).mode & 0o777).toBe(0o600);
    const client = createClient(cluster.kubeConfig);
    undo.defer(() => client.close());
    expect((await client.resource(nodes).list()).items.map(({ metadata }) => metadata?.name)).toEqual([
      `${name}-control-plane`,
    ]);
    expect(cluster.kubeConfig.getCurrentContext()).toBe("operator-path");

    // A reused cluster remains.
    const again = await startKindCluster({ ...{ name, env }, reuse: true });
    expect(again.images.env.KIND_CLUSTER).toBe(name);
    await again.stop();
    expect(await listClusters()).toContain(name);
    await expect(startKindCluster({ name: `${name}-other`, env, reuse: true })).rejects.toThrow(
      new RegExp(`there is no kind cluster ${name}-other, there are .*${name}`),
    );

    const mine = await reuseKindCluster({ ...{ name, env }, consent: { yes: true, say: () => undefined } });
    expect(mine).toMatchObject({ provider: "kind", images: { containers: true } });
    const names = async () =>
      (await client.resource(namespaces).list()).items.map(({ metadata }) => metadata?.name);
    expect(await names()).toContain(mine.namespace);
    await mine.stop();
    expect(await names()).not.toContain(mine.namespace);
    await expect(reuseKindCluster({ ...{ name, env }, consent: { say: () => undefined } })).rejects.toThrow(
      "agree with --yes",
    );

    // As if the cluster were a user's: images get there through the engine, which runs its nodes.
    const kind = [...cluster.images.programs].find(([program]) => program === "kind")?.[1] ?? "kind";
    await execa(kind, ["export", "kubeconfig", "--name", name, "--kubeconfig", join(home, "config")]);
    const theirs = await readFile(join(home, "config"), "utf8");
    const existing = await openExistingCluster({
      ...{ context: `kind-${name}`, env },
      consent: { yes: true, say: () => undefined },
    });
    expect(existing.images).toMatchObject({ containers: true, env: { KIND_CLUSTER: name } });
    await existing.stop();
    expect(await readFile(join(home, "config"), "utf8")).toBe(theirs);

    await cluster.stop();
    expect(await listClusters()).not.toContain(name);
    expect(await readdir(home)).toEqual(["config"]);
  },
);
