import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyFromPod, copyToPod } from "../cp/index.ts";
import { isNotFound } from "../errors.ts";
import { thrownBy } from "../kube-config/testing/listen.ts";
import { pods } from "../resources.ts";
import { attach } from "./attach.ts";
import { exec } from "./exec.ts";
import { logs } from "./logs.ts";
import { portForward } from "./port-forward.ts";

test("exec, copies, attach, logs and port-forward work through a real kube-apiserver", async ({ skip }) => {
  const missing = await findControlPlane({ controllerManager: true, mayBuild: false }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  skip(missing !== undefined, `there is no kube-apiserver and etcd on this machine: ${missing}`);
  const cluster = await startTestCluster({ provider: "envtest", controllers: true });
  onTestFinished(() => cluster.stop());
  const { client } = cluster;
  const api = client.resource(pods).namespace("default");
  const script = "echo started; cat; echo end >&2";
  const containers = [
    { name: "echo", image: "busybox", command: ["sh", "-c", script], stdin: true, stdinOnce: true },
    { name: "web", image: "nginx:1.27.5", ports: [{ containerPort: 80 }] },
  ];
  await vi.waitFor(
    () => api.create({ metadata: { name: "p" }, spec: { restartPolicy: "Never", containers } }),
    {
      timeout: 120_000,
    },
  );
  const isReady = async () =>
    (await api.get("p")).status?.conditions?.some(
      ({ type, status }) => type === "Ready" && status === "True",
    );
  await vi.waitUntil(isReady, { timeout: 120_000 });
  const echo = { namespace: "default", name: "p", container: "echo" };

  const stdin = "0123456789".repeat(100_000);
  const command = ["sh", "-c", "cat; echo err >&2; exit 3"];
  expect(await exec(client, echo, command, { stdin })).toEqual({
    exitCode: 3,
    stdout: stdin,
    stderr: "err\n",
  });
  expect((await exec(client, echo, ["true"])).exitCode).toBe(0);
  expect(await thrownBy(exec(client, echo, ["no-such-program"]))).toMatchObject({
    name: "ApiError",
    code: 500,
  });
  expect(isNotFound(await thrownBy(exec(client, { ...echo, name: "nope" }, ["true"])))).toBe(true);
  const folder = await mkdtemp(join(tmpdir(), "cp-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "from"));
  await writeFile(join(folder, "from/big"), stdin);
  const copied = { files: 1, bytes: stdin.length, skipped: [] };
  expect(await copyToPod(client, echo, join(folder, "from"), "/tmp/there")).toEqual(copied);
  expect(await copyFromPod(client, echo, "/tmp/there", join(folder, "back"))).toEqual(copied);
  expect(await readFile(join(folder, "back/big"), "utf8")).toBe(stdin);
  expect(await thrownBy(copyFromPod(client, echo, "/no/such", join(folder, "no")))).toMatchObject({
    reason: "TarFailed",
  });
  const abort = new AbortController();
  const stdout = new PassThrough().once("data", () => abort.abort(new Error("enough")));
  const endless = exec(client, echo, ["sh", "-c", "echo up; sleep infinity"], {
    stdout,
    signal: abort.signal,
  });
  expect((await thrownBy(endless)).message).toBe("enough");

  await using forwarding = await portForward(client, echo, [80, 81]);
  const [web, closed] = forwarding.ports.map(({ local }) => `http://127.0.0.1:${local}/`);
  expect(await (await fetch(web ?? "")).text()).toContain("Welcome to nginx!");
  await expect(fetch(closed ?? "")).rejects.toThrow();
  expect((await fetch(web ?? "")).status).toBe(200);

  const lines: string[] = [];
  const following = (async () => {
    for await (const line of logs(client, echo, { follow: true })) lines.push(line);
  })();
  const [out, err] = [new PassThrough(), new PassThrough()];
  await attach(client, echo, { stdin: "hello", stdout: out, stderr: err });
  expect([await text(out.end()), await text(err.end())]).toEqual(["hello", "end\n"]);
  await following;
  expect(lines.join("\n")).toMatch(/^started\nhello/);
  expect(await thrownBy(attach(client, echo, { stdout: out }))).toMatchObject({ name: "ApiError" });
});
