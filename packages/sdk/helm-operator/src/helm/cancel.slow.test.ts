// Stops helm in the middle of an operation, and recovers the release.
import { jobs } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Recovery, recovery } from "../release/recovery.ts";
import type { Helm } from "./helm.ts";
import { type HelmBench, hanging, namespace, patiently, processOf, startHelmBench } from "./testing/bench.ts";

let bench: HelmBench;
let helm: Helm;
let chart: string;
let before: string[];
beforeAll(async () => {
  bench = await startHelmBench();
  helm = bench.helm();
  chart = await bench.chart("waits", hanging);
  before = await bench.objects();
});
afterAll(() => bench.stop());

const request = (name: string, size: number, hangs?: string) => ({
  ...{ name, namespace, chart },
  values: hangs ? { size, hangs } : { size },
});

/** Waits until helm waits in its hook. */
async function inHook(name: string, run: Promise<unknown>): Promise<void> {
  const tooEarly = run.then(() => {
    throw new Error("helm did not wait");
  });
  const there = patiently(async () => expect(await bench.objects()).toContain(`Job ${name}-hook`));
  await Promise.race([there, tooEarly]);
}

async function recover(name: string): Promise<Recovery> {
  const way = recovery(await bench.state(name), { now: Date.now(), patience: 0 });
  if (way.kind === "rollback")
    await helm.rollback({ name, namespace, revision: way.revision, disableHooks: true });
  if (way.kind === "uninstall") await helm.uninstall({ name, namespace, disableHooks: true });
  return way;
}

/** Uninstalls a release, and deletes its hook's Job, which helm leaves behind. */
async function endRelease(name: string): Promise<void> {
  await helm.uninstall({ name, namespace, disableHooks: true });
  const hooks = bench.cluster.client.resource(jobs).namespace(namespace);
  await hooks.delete(`${name}-hook`, { propagationPolicy: "Background" }).catch(() => {});
  await patiently(async () => expect(await bench.objects()).toEqual(before));
}

it("helm records a cancelled upgrade as failed, and can upgrade again", async () => {
  await helm.install(request("asked", 1));
  const end = new AbortController();
  const upgraded = helm.upgrade(request("asked", 2, "pre-upgrade"), { signal: end.signal });
  await inHook("asked", upgraded);
  expect(await bench.state("asked")).toMatchObject({
    ...{ kind: "pending", operation: "upgrade", release: { revision: 2 }, lastDeployed: { revision: 1 } },
  });
  end.abort(new Error("the lease is lost"));
  await expect(upgraded).rejects.toMatchObject({
    ...{ name: "HelmError", kind: "cancelled", operation: "upgrade", cause: new Error("the lease is lost") },
  });
  expect(await bench.state("asked")).toMatchObject({
    ...{ kind: "failed", release: { revision: 2 }, lastDeployed: { revision: 1 } },
  });
  await helm.upgrade(request("asked", 3));
  expect(await bench.state("asked")).toMatchObject({ kind: "deployed", release: { revision: 3 } });
  await endRelease("asked");
});

it.each([
  ["pre-install", "install", { kind: "uninstall" }],
  ["pre-upgrade", "upgrade", { kind: "rollback", revision: 1 }],
] as const)(
  "a helm that is killed in a %s hook leaves a pending release, which recovers",
  async (hook, operation, way) => {
    if (operation === "upgrade") await helm.install(request("killed", 1));
    const run = helm[operation](request("killed", 2, hook));
    run.catch(() => {});
    await inHook("killed", run);
    process.kill(await processOf("killed", chart), "SIGKILL");
    await expect(run).rejects.toMatchObject({
      name: "HelmError",
      operation,
      exitCode: undefined,
      kind: "cluster",
    });
    expect(await bench.state("killed")).toMatchObject({ kind: "pending", operation });
    if (operation === "upgrade") {
      await expect(helm.upgrade(request("killed", 3))).rejects.toMatchObject({ kind: "pending" });
    }
    const { now, patience } = { now: Date.now(), patience: 3_600_000 };
    expect(recovery(await bench.state("killed"), { now, patience })).toMatchObject({ kind: "wait" });

    expect(await recover("killed")).toEqual(way);
    const after = await bench.state("killed");
    if (operation === "install") expect(after).toEqual({ kind: "absent" });
    else expect(after).toMatchObject({ kind: "deployed", release: { revision: 3, values: { size: 1 } } });
    await helm[operation](request("killed", 4));
    expect(await bench.state("killed")).toMatchObject({ kind: "deployed", release: { values: { size: 4 } } });
    await endRelease("killed");
  },
);

it("a cancelled rollback stays pending, and recovers to the deployed revision", async () => {
  await helm.install(request("back", 1, "pre-rollback"), {});
  await helm.upgrade(request("back", 2));
  const end = new AbortController();
  const rolledBack = helm.rollback({ name: "back", namespace, revision: 1, signal: end.signal });
  await inHook("back", rolledBack);
  end.abort();
  await expect(rolledBack).rejects.toMatchObject({ kind: "cancelled" });
  expect(await bench.state("back")).toMatchObject({ kind: "pending", operation: "rollback" });
  expect(await recover("back")).toEqual({ kind: "rollback", revision: 2 });
  expect(await bench.state("back")).toMatchObject({ kind: "deployed", release: { values: { size: 2 } } });
  await endRelease("back");
});

it("another uninstall finishes a cancelled one", async () => {
  await helm.install(request("gone", 1, "pre-delete"));
  const end = new AbortController();
  const uninstalled = helm.uninstall({ name: "gone", namespace, signal: end.signal });
  await inHook("gone", uninstalled);
  end.abort();
  await expect(uninstalled).rejects.toMatchObject({ kind: "cancelled" });
  const state = await bench.state("gone");
  expect(state).toMatchObject({ kind: "uninstalling", release: { deleted: expect.any(String) } });
  expect(recovery(state, { now: Date.now() })).toMatchObject({ kind: "wait" });
  expect(await recover("gone")).toEqual({ kind: "uninstall" });
  expect(await bench.state("gone")).toEqual({ kind: "absent" });
  await endRelease("gone");
});

it("kills a helm that does not end within the grace period", async () => {
  const clock = createFakeClock();
  const end = new AbortController();
  const stubborn = bench.helm({ grace: 5_000, clock });
  const installed = stubborn.install(request("stubborn", 1, "pre-install"), { signal: end.signal });
  await inHook("stubborn", installed);
  let done = false;
  const settled = installed.catch((error: unknown) => {
    done = true;
    return error;
  });
  const pid = await processOf("stubborn", chart);
  process.kill(pid, "SIGSTOP");
  end.abort();
  await clock.advance(4_999);
  expect(done).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow();
  await clock.advance(1);
  expect(await settled).toMatchObject({ name: "HelmError", kind: "cancelled" });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(await bench.state("stubborn")).toMatchObject({ kind: "pending", operation: "install" });
  await endRelease("stubborn");
});

it("never starts a waiting helm that is cancelled", async () => {
  const started: string[] = [];
  const onProcess = (operation: string, release?: string) => started.push(`${operation} ${release}`);
  const queued = bench.helm({ maxProcesses: 1, onProcess });
  await queued.version();
  const [first, second] = [new AbortController(), new AbortController()];
  const one = queued.install(request("first", 1, "pre-install"), { signal: first.signal });
  const two = queued.install(request("second", 1), { signal: second.signal });
  const three = queued.dryRun(request("third", 1));
  for (const waiting of [two, three]) waiting.catch(() => {});
  await inHook("first", one);
  second.abort();
  await expect(two).rejects.toMatchObject({ kind: "cancelled", exitCode: undefined });
  expect(started).toEqual(["version undefined", "install default/first"]);
  first.abort();
  await expect(one).rejects.toMatchObject({ kind: "cancelled" });
  expect(await three).toMatchObject({ manifest: expect.stringContaining("name: third") });
  expect(started).toEqual(["version undefined", "install default/first", "dry run default/third"]);
  expect(await bench.state("second")).toEqual({ kind: "absent" });
  await endRelease("first");
});
