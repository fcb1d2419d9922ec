import { type ContainerState, createClient, KubeConfig, type Pod, pods } from "@operator-path/client";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { containerToolPath } from "../container-tool/path.ts";
import { openCommandHome } from "../testing/command.ts";
import { type ImageBench, serverProject, startImageBench, writeProject } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
  await bench.image("server:1", serverProject);
});
afterAll(async () => {
  await bench?.stop();
  expect(bench?.failures).toEqual([]);
});

/** Returns a Pod with one process that runs a script and is never restarted. */
function pod(name: string, script: string, container: object = {}, spec: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image: "server:1", args: ["-e", script], ...container }],
      ...spec,
    },
  };
}
const terminated = (name: string) => bench.field(name, ".status.containerStatuses[0].state.terminated");
const remove = (name: string) => bench.ok(`delete pod ${name} --now`);

it.runIf(process.platform === "linux")(
  "kills a container whose Buffers exceed its memory limit",
  async () => {
    const script = "const all = []; setInterval(() => all.push(Buffer.alloc(10e6, 1)), 50)";
    await bench.apply(pod("hog", script, { resources: { limits: { memory: "200Mi" } } }));
    await until(async () => (await terminated("hog")) !== "");
    expect(JSON.parse(await terminated("hog"))).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
    await remove("hog");
  },
);

it("evicts a Pod whose emptyDir exceeds its sizeLimit", async () => {
  const script =
    "require('fs').writeFileSync('/scratch/file', Buffer.alloc(5e6)); setInterval(() => {}, 1000)";
  const volumes = [{ name: "scratch", emptyDir: { sizeLimit: "1Mi" } }];
  const volumeMounts = [{ name: "scratch", mountPath: "/scratch" }];
  await bench.apply(pod("filler", script, { volumeMounts }, { volumes }));
  await until(async () => (await bench.field("filler", ".status.phase")) === "Failed");
  expect(await bench.field("filler", ".status.reason")).toBe("Evicted");
  const message = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ';
  expect(await bench.field("filler", ".status.message")).toBe(message);
  expect(await bench.events("filler")).toContain(`Evicted:${message}`);
  await until(async () => (await terminated("filler")) !== "");
  await remove("filler");
});

it("shares an emptyDir between users, as in Kubernetes", async () => {
  const script = "console.log((require('fs').statSync('/scratch').mode & 0o777).toString(8))";
  const volumes = [{ name: "scratch", emptyDir: {} }];
  const volumeMounts = [{ name: "scratch", mountPath: "/scratch" }];
  await bench.apply(pod("open", script, { volumeMounts }, { volumes }));
  await until(() => bench.hasLogs("open"));
  expect(await bench.logs("open")).toBe("777\n");
  await remove("open");
});

/** Expects an answer. A cluster that hangs gives none, and the test takes too long. */
async function expectAnswers(): Promise<void> {
  expect(await bench.field("client", ".status.phase")).toBe("Running");
}

it("keeps the last 10 MiB of an endless log, and answers meanwhile", async () => {
  const script =
    "const line = 'x'.repeat(999) + '\\n'; const go = () => { while (process.stdout.write(line.repeat(100))); process.stdout.once('drain', go); }; go()";
  await bench.apply(pod("talker", script));
  await until(async () => (await bench.logs("talker").catch(() => "")).length > 5e6);
  await expectAnswers();
  expect((await bench.logs("talker")).length).toBeLessThan(11 * 1024 * 1024);
  await remove("talker");
});

it("keeps working when a Pod opens as many files and connections as it may", async () => {
  const script = `
    const { openSync } = require("fs"); const { connect } = require("net");
    const port = process.env.KUBERNETES_SERVICE_PORT;
    let sockets = 0, refused = 0;
    for (let i = 0; i < 5000; i++)
      connect({ host: "127.0.0.1", port }).on("connect", () => sockets++).on("error", () => refused++);
    setTimeout(() => {
      let files = 0;
      try { for (;;) { openSync("/etc/hosts"); files++; if (files > 200000) break; } } catch (error) { console.log(error.code); }
      console.log("opened", sockets, refused, files);
    }, 5000);
    setInterval(() => {}, 1000);`;
  await bench.apply(pod("opener", script));
  await until(async () => (await bench.logs("opener").catch(() => "")).includes("opened"));
  expect(await bench.logs("opener")).toContain("EMFILE");
  await expectAnswers();
  await bench.apply(pod("after", "console.log('up')"));
  await until(() => bench.hasLogs("after"));
  await remove("opener");
  await remove("after");
});

it.runIf(process.platform === "linux")(
  "answers when there are more Pods than descriptors, and reports why the rest waits",
  async () => {
    const home = await openCommandHome();
    try {
      await home.cliWithFiles(200, "up");
      const { kubeconfigPath } = await home.record("dev");
      const kubeConfig = new KubeConfig();
      kubeConfig.loadFromFile(kubeconfigPath);
      await using undo = new AsyncDisposableStack();
      const client = createClient(kubeConfig);
      undo.defer(() => client.close());
      await writeProject(home.folder, serverProject);
      const env = { KUBECONFIG: kubeconfigPath };
      for (const args of [
        ["build", "-t", "server:1", "."],
        ["push", "server:1"],
      ])
        await execa(containerToolPath(), args, { cwd: home.folder, env });
      const inDefault = client.resource(pods).namespace("default");
      const names = Array.from({ length: 20 }, (_, i) => `many-${i}`);
      for (const name of names) await inDefault.create(pod(name, "setInterval(() => {}, 1000)") as Pod);
      const states = async () =>
        (await inDefault.list()).items.map(({ status }) => status?.containerStatuses?.[0]?.state);
      const refusal = /most of them are open: run fewer Pods/;
      const isWaiting = (state: ContainerState | undefined) => refusal.test(state?.waiting?.message ?? "");
      await until(async () => (await states()).every((state) => state?.running || isWaiting(state)));
      const waiting = (await states()).filter(isWaiting).length;
      expect(waiting).toBeGreaterThan(5);
      expect(waiting).toBeLessThan(20);
      // Room for one of them is enough for it to start.
      for (const name of names.slice(0, 19)) await inDefault.delete(name, { gracePeriodSeconds: 0 });
      await until(async () => (await states()).length === 1 && (await states())[0]?.running !== undefined);
    } finally {
      await home.remove();
    }
  },
);
