import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, startApiServer } from "@operator-path/apiserver";
import { createClient, leases } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";

const main = join(import.meta.dirname, "testing/candidate-process.ts");

/** Starts candidates as processes, on the embedded API server. */
async function startWorld(durations: { leaseDuration: number; renewDeadline: number; retryPeriod: number }) {
  const server: ApiServer = await startApiServer();
  onTestFinished(() => server.stop());
  const client = createClient(server.kubeConfig());
  onTestFinished(() => client.close());
  const folder = mkdtempSync(join(tmpdir(), "election-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfigYaml(), { mode: 0o600 });

  function startCandidate(identity: string) {
    const child = spawn(
      process.execPath,
      ["--conditions=@operator-path/source", main, kubeconfig, identity, JSON.stringify(durations)],
      { cwd: join(import.meta.dirname, "../.."), stdio: ["pipe", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: { at: number; what: string }[] = [];
    let rest = "";
    child.stdout.on("data", (chunk) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts)
        lines.push({ at: Number(line.split(" ")[0]), what: line.replace(/^\d+ /, "") });
    });
    const find = (what: string) => lines.filter((line) => line.what.startsWith(what)).at(-1);
    return {
      child,
      find,
      exited: once(child, "exit"),
      says: (what: string) =>
        expect.poll(() => find(what)?.what, { timeout: 50_000, interval: 10 }).toBeDefined(),
    };
  }

  return { startCandidate, lease: () => client.resource(leases).namespace("default").get("web") };
}

test("releases the Lease on SIGTERM, and the other process leads", async () => {
  const { startCandidate, lease } = await startWorld({
    leaseDuration: 20_000,
    renewDeadline: 15_000,
    retryPeriod: 200,
  });
  const a = startCandidate("a");
  await a.says("acted");
  const b = startCandidate("b");
  await b.says("log attempting");
  a.child.kill("SIGTERM");
  expect(await a.exited).toEqual([0, null]);
  await b.says("leading");
  expect(b.find("leading")?.at).toBeGreaterThanOrEqual(a.find("acted")?.at ?? Number.NaN);
  expect((await lease()).spec).toMatchObject({
    holderIdentity: "b",
    leaseDurationSeconds: 20,
    leaseTransitions: 1,
  });
  b.child.kill("SIGTERM");
  expect(await b.exited).toEqual([0, null]);
  expect((await lease()).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
}, 180_000);

test("does not act after its event loop was blocked for too long", async () => {
  const { startCandidate, lease } = await startWorld({
    leaseDuration: 6_000,
    renewDeadline: 4_500,
    retryPeriod: 500,
  });
  const a = startCandidate("a");
  await a.says("acted");
  const b = startCandidate("b");
  await b.says("log attempting");
  a.child.stdin.write("block 9000\n");
  await a.says("blocked");
  expect(await a.exited).toEqual([1, null]);
  expect(a.find("asked")?.what).toBe("asked isLeader=false aborted=true");
  expect(a.find("lost")?.what).toBe("lost LeadershipLostError");
  await b.says("acted");
  // All processes run on one machine, so their times can be compared.
  expect(a.find("acted")?.at).toBeLessThanOrEqual(a.find("blocked")?.at ?? Number.NaN);
  expect(b.find("leading")?.at).toBeGreaterThan(a.find("blocked")?.at ?? Number.NaN);
  expect((await lease()).spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
}, 180_000);
