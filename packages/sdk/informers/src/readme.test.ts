import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { startApiServer } from "@operator-path/apiserver";
import { type Client, configMaps, createClient, events, pods, serviceAccounts } from "@operator-path/client";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

const root = join(import.meta.dirname, "..");
const [first = "", many = "", leader = "", event = "", ...others] = [
  ...readFileSync(join(root, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs),
].map(([, program = ""]) => program);

let folder: string;
let server: Awaited<ReturnType<typeof startApiServer>>;
let client: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "informers-readme-"));
  server = await startApiServer();
  client = createClient(server.kubeConfig());
  // Pods are only admitted with this ServiceAccount, which a cluster's controllers create.
  await client
    .resource(serviceAccounts)
    .namespace("default")
    .create({ metadata: { name: "default" } });
  writeFileSync(join(folder, "kubeconfig"), server.kubeconfigYaml(), { mode: 0o600 });
});

afterAll(async () => {
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program as a reader would, except for the path of the file. */
function run(program: string, kubeconfig = join(folder, "kubeconfig")) {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", program],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "close");
  const screen = { out: "", err: "" };
  child.stdout.on("data", (text) => (screen.out += text));
  child.stderr.on("data", (text) => (screen.err += text));
  return {
    screen,
    exited,
    says: (part: string | RegExp, where: "out" | "err" = "out") =>
      vi.waitFor(() => expect(screen[where]).toMatch(part), { timeout: 30_000, interval: 10 }),
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
    },
  };
}

const podsOf = () => client.resource(pods).namespace("default");
const pod = (name: string) => ({
  metadata: { name },
  spec: { containers: [{ name: "main", image: "nginx" }] },
});

test("the programs of the README", () => {
  expect([first, many, leader, event].map((program) => /create\w+(?=\(client)/.exec(program)?.[0])).toEqual([
    "createInformerFactory",
    "createSharedInformer",
    "createLeaderElector",
    "createEventRecorder",
  ]);
  expect(others).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)("the first prints the phases of Pods until %s", async (signal) => {
  const program = run(first);
  await program.says("watching Pods; ^C ends\n");
  await podsOf().create(pod("web"));
  await program.says("default/web Pending\n");
  await podsOf().delete("web");
  await program.says("default/web deleted\n");
  await program.end(signal);
  expect(program.screen.err).toBe("");
});

test("the first ends quietly when it is stopped before its first list", async () => {
  const kubeconfig = join(folder, "unreachable");
  writeFileSync(kubeconfig, JSON.stringify(unreachable));
  const program = run(first, kubeconfig);
  await program.says("trying again", "err");
  await program.end("SIGINT");
  expect(program.screen.err).toMatch(/^(informer of pods: .*; trying again\n)+$/);
});

test("the program for many objects prints changes with their keys", async () => {
  const program = run(many);
  await podsOf().create(pod("many"));
  await program.says(/^added default\/many \d+\n/);
  await podsOf().delete("many");
  await program.says(/deleted default\/many \d+\n$/);
  await program.end("SIGTERM");
  expect(program.screen.err).toBe("");
});

test("one of two candidates leads, and the other follows when the first stops", async () => {
  const one = run(leader);
  await one.says(/^\d+ is a candidate\n\d+ leads\n$/);
  const other = run(leader);
  await other.says("attempting to acquire", "err");
  expect(other.screen.out).not.toContain("leads");
  await one.end("SIGINT");
  await other.says(/\d+ leads\n$/);
  await other.end("SIGTERM");
});

test("a leader that loses its Lease exits with one line and status 1", async () => {
  const program = run(leader);
  await program.says("leads");
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/my-operator";
  const body = { spec: { holderIdentity: "another", leaseDurationSeconds: 60 } };
  const headers = { "content-type": "application/merge-patch+json" };
  await client.request({ method: "PATCH", path, body, headers });
  expect(await program.exited).toEqual([1, null]);
  expect(program.screen.err).not.toContain("    at ");
  await client.request({ method: "DELETE", path });
});

test("the last program records an Event", async () => {
  await client
    .resource(configMaps)
    .namespace("default")
    .create({ metadata: { name: "settings" } });
  const program = run(event);
  expect(await program.exited).toEqual([0, null]);
  const { items } = await client.resource(events).namespace("default").list();
  expect(items).toMatchObject([{ reason: "NotReady", message: "not ready for 120 s", type: "Warning" }]);
});

/** No server listens on the discard port. */
const unreachable = {
  "current-context": "down",
  contexts: [{ name: "down", context: { cluster: "down", user: "me" } }],
  clusters: [{ name: "down", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "me", user: { token: "t" } }],
};
