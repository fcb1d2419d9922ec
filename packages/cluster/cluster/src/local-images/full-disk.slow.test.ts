import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, events, KubeConfig, namespaces, pods } from "@operator-path/client";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { containerToolPath } from "../container-tool/path.ts";
import { writeProject } from "../testing/image-bench.ts";
import { createPodReader } from "../testing/pod-reader.ts";
import { until } from "../testing/process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "full-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Mounts a disk of 3 MiB at `disk`, which only programs started by `run` see. Returns undefined if this
 * machine lets no user mount one.
 */
async function smallDisk(disk: string) {
  const script = `mkdir -p "$1" && mount -t tmpfs -o size=3m tmpfs "$1" && echo mounted && exec cat`;
  const holder = spawn("unshare", ["-Urm", "sh", "-c", script, "sh", disk], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const [said] = await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "close"),
    once(holder, "error"),
  ]);
  if (!String(said).includes("mounted")) return undefined;
  return {
    run: (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
      execa(
        "nsenter",
        [`--target=${holder.pid}`, "-U", "-m", "--preserve-credentials", `--wd=${folder}`, program, ...args],
        { env },
      ),
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await once(holder, "exit");
    },
  };
}

/** Rejects each status of a Pod in the namespace `noisy`, which the kubelet logs every second. */
const refusal = (url: string) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "refuses-statuses" },
  webhooks: [
    {
      name: "refuses.example.com",
      clientConfig: { url },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods/status"], operations: ["UPDATE"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "noisy" } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 1,
    },
  ],
});

it.runIf(process.platform === "linux")(
  "survives a full disk, reports it once in the Pod's Events, and continues when there is room again",
  async ({ skip }) => {
    const disk = join(folder, "state");
    await using mounted = await smallDisk(disk);
    if (mounted === undefined) return skip("this machine lets no user mount a file system");
    const { run } = mounted;
    const main = new URL("../main.ts", import.meta.url).pathname;
    const cli = (...args: string[]) =>
      run(process.execPath, ["--conditions=@operator-path/source", main, ...args], { XDG_STATE_HOME: disk });
    await using undo = new AsyncDisposableStack();
    const { stdout } = await cli("up");
    try {
      const path = /kubeconfig: (.*)/.exec(stdout)?.[1] ?? "";
      const kubeConfig = new KubeConfig();
      kubeConfig.loadFromString((await run("cat", [path])).stdout);
      const client = createClient(kubeConfig);
      const reader = createPodReader(kubeConfig);
      undo.defer(() => Promise.all([client.close(), reader.close()]).then(() => {}));
      const start = (name: string, namespace = "default") =>
        client
          .resource(pods)
          .namespace(namespace)
          .create({
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name },
            spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "main", image: "waits:1" }] },
          });
      await writeProject(folder, {
        "main.mjs": "console.log('up'); setInterval(() => {}, 1000);\n",
        Dockerfile: 'FROM node:26\nCOPY main.mjs .\nCMD ["node", "main.mjs"]\n',
      });
      const tool = (...args: string[]) => run(containerToolPath(), args, { KUBECONFIG: path });
      await tool("build", "-t", "waits:1", ".");
      await tool("push", "waits:1");
      await start("before");
      await until(async () => (await reader.field("before", ".status.phase")) === "Running");

      await run("sh", ["-c", `cat /dev/zero > ${disk}/fill`]).catch(() => {});
      await start("during");
      const full = /write to \S+ of this machine: no space left on device: free some space on that disk/;
      await until(async () => full.test(await reader.events("during")));
      // More log lines than fit on the disk.
      let refused = 0;
      await using refuser = createServer((socket) => {
        refused++;
        socket.destroy();
      });
      await once(refuser.listen(0, "127.0.0.1"), "listening");
      await client.request({
        method: "POST",
        path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        body: refusal(`https://127.0.0.1:${(refuser.address() as AddressInfo).port}/`),
      });
      await client
        .resource(namespaces)
        .create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "noisy" } });
      await until(() =>
        start("noise", "noisy").then(
          () => true,
          () => false,
        ),
      );
      await until(() => refused >= 3);
      // Everything that needs no disk continues.
      expect(await reader.field("before", ".status.phase")).toBe("Running");

      await run("rm", [join(disk, "fill")]);
      await until(() => reader.hasLogs("during"));
      // One Event for several attempts.
      const { items } = await client
        .resource(events)
        .namespace("default")
        .list({ fieldSelector: "involvedObject.name=during" });
      const told = items.filter(({ message = "" }) => full.test(message));
      expect(told.map(({ type, reason, count }) => ({ type, reason, count }))).toEqual([
        { type: "Warning", reason: "FailedMount", count: 1 },
      ]);
      const log = () => run("cat", [join(disk, "operator-path/clusters/dev/cluster.log")]);
      await until(async () =>
        /\d+ lines are missing: the log could not be written/.test((await log()).stdout),
      );
    } finally {
      await cli("down");
    }
  },
);
