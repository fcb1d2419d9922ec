// An image with helm. Its Pods start this machine's helm as their ServiceAccount, and nothing else.
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { realControlPlane } from "../testing/kubectl.ts";
import { startSilentServer, until } from "../testing/process.ts";

/** Carries out a request, as a program in the container. */
const runner = `
import http from "node:http";
import fs from "node:fs";
import childProcess from "node:child_process";
import threads from "node:worker_threads";
import { promisify } from "node:util";
const AsyncFunction = (async () => {}).constructor;
const helm = async (...args) => {
  const { stdout, stderr } = await promisify(childProcess.execFile)("helm", args).catch((error) => error);
  return { stdout, stderr };
};
http.createServer(async (request, response) => {
  const code = new URL(request.url, "http://x").searchParams.get("do");
  const run = new AsyncFunction("helm", "fs", "childProcess", "threads", code);
  const done = await run(helm, fs, childProcess, threads).catch((error) => ({ failed: error.code ?? "", message: error.message }));
  response.end(JSON.stringify(done ?? null));
}).listen(8080);
`;

const project = {
  "dist/main.js": runner,
  "package.json": '{"type":"module"}',
  "helm-charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "helm-charts/web/values.yaml": "colour: blue\n",
  "helm-charts/web/templates/settings.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-settings\ndata:\n  colour: {{ .Values.colour }}\n  text: {{ .Values.text | quote }}\n",
  Dockerfile: `FROM docker.io/alpine/helm:4.2.3 AS helm
FROM gcr.io/distroless/nodejs24-debian13
WORKDIR /app
COPY --from=helm /usr/bin/helm /usr/local/bin/helm
COPY helm-charts helm-charts
COPY package.json dist/main.js ./
USER 65532:65532
CMD ["/app/main.js"]
`,
};

const real = await realControlPlane();
describe.each([["embedded", undefined], ...(real ? [["envtest", real] as const] : [])] as const)(
  "%s",
  (name, start) => {
    let bench: ImageBench;
    beforeAll(async () => {
      bench = await startImageBench(start);
      await bench.image("hybrid:1", project);
      await bench.apply(
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "releaser" } },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "Role",
          metadata: { name: "releaser" },
          rules: [{ apiGroups: [""], resources: ["secrets", "configmaps"], verbs: ["*"] }],
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: "releaser" },
          subjects: [{ kind: "ServiceAccount", name: "releaser", namespace: "default" }],
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "releaser" },
        },
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "hybrid" },
          spec: {
            serviceAccountName: "releaser",
            terminationGracePeriodSeconds: 1,
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                name: "manager",
                image: "hybrid:1",
                securityContext: { readOnlyRootFilesystem: true },
                volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
              },
            ],
            volumes: [{ name: "tmp", emptyDir: {} }],
          },
        },
      );
      await bench.ok("wait --for=condition=Ready pod/hybrid --timeout=50s");
    });
    afterAll(async () => {
      await bench?.stop();
      expect(bench?.failures).toEqual([]);
    });

    /** Runs the body of an async function in the Pod's process. */
    async function inPod(code: string): Promise<unknown> {
      const text = encodeURIComponent(code).replaceAll("'", "%27");
      return JSON.parse(await bench.get("hybrid", `/?do=${text}`));
    }
    /** Runs helm in the Pod. */
    const helm = (...args: string[]) =>
      inPod(`return helm(...${JSON.stringify(args)})`) as Promise<{ stdout: string; stderr: string }>;

    it("starts helm, which reaches the API as the Pod's ServiceAccount with its permissions", async () => {
      expect((await helm("version", "--short")).stdout).toMatch(/^v4\./);
      expect(await helm("list", "-o", "json")).toEqual({ stdout: "[]\n", stderr: "" });
      expect((await helm("list", "-A")).stderr).toContain(
        'User "system:serviceaccount:default:releaser" cannot list resource "secrets" in API group "" at the cluster scope',
      );
    });

    it("gives helm the container's files: charts, values, its standard input, folders", async () => {
      const done = await inPod(`
      fs.writeFileSync("/tmp/text", "from a file");
      fs.writeFileSync("/tmp/values.yaml", "colour: green");
      const a = await helm("install", "absolute", "/app/helm-charts/web", "--values=/tmp/values.yaml", "--set-file", "text=/tmp/text");
      const b = await helm("upgrade", "--install", "relative", "helm-charts/web", "-f", "/tmp/values.yaml", "--set", "text=/tmp/text");
      fs.writeFileSync("/tmp/stdin.json", JSON.stringify({ colour: "red" }), { mode: 0o600 });
      const fd = fs.openSync("/tmp/stdin.json", "r");
      fs.rmSync("/tmp/stdin.json");
      const piped = childProcess.spawn("/usr/local/bin/helm", ["install", "piped", "./helm-charts/web", "--values=-"], { cwd: "/app", stdio: [fd, "pipe", "pipe"], detached: true });
      const code = await new Promise((resolve) => piped.on("close", resolve));
      const { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
      const closed = { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, KUBECONFIG: "/tmp/none", HOME: "/tmp", HELM_CACHE_HOME: "/tmp/cache" };
      const d = childProcess.spawnSync("/usr/local/bin/helm", ["list", "--short"], { cwd: "/tmp", env: closed, encoding: "utf8" });
      return [a.stderr, b.stderr, code, d.stderr + d.stdout];`);
      expect(done).toEqual(["", "", 0, "absolute\npiped\nrelative\n"]);
      const data = async (name: string) =>
        JSON.parse(await bench.ok(`get configmap ${name}-settings -o jsonpath={.data}`)) as object;
      expect(await data("absolute")).toEqual({ colour: "green", text: "from a file" });
      // A value that looks like a path stays a value.
      expect(await data("relative")).toEqual({ colour: "green", text: "/tmp/text" });
      expect(await data("piped")).toEqual({ colour: "red", text: "" });
      expect(await bench.ok("get secret -l owner=helm -o name")).toBe(
        ["absolute", "piped", "relative"].map((name) => `secret/sh.helm.release.v1.${name}.v1\n`).join(""),
      );
    });

    it("passes input and output completely, and enforces permissions and time", async () => {
      await using server = await startSilentServer();
      const done = await inPod(`
        const text = "é".repeat(300_000);
        const args = ["template", "x", "/app/helm-charts/web", "--values=-"];
        const input = JSON.stringify({ text });
        const child = childProcess.spawn("helm", args);
        let said = "";
        child.stdout.setEncoding("utf8").on("data", (chunk) => (said += chunk));
        child.stdin.end(input);
        await new Promise((resolve) => child.on("close", resolve));
        const sync = (o) => childProcess.spawnSync("helm", args, { input, encoding: "utf8", ...o });
        const late = childProcess.spawnSync("helm", ["template", "x", "/app/helm-charts/web", "--values=${server.url}"], { timeout: 300 });
        return [said.includes(text), sync({ maxBuffer: 1e8 }).stdout.includes(text), sync({ maxBuffer: 1000 }).error?.code, late.error?.code];`);
      expect(done).toEqual([true, true, "ENOBUFS", "ETIMEDOUT"]);
    });

    it("accepts a kubeconfig of the container, with the container's paths in it", async () => {
      const account = "/var/run/secrets/kubernetes.io/serviceaccount";
      const done = await inPod(`
      const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
      fs.writeFileSync("/tmp/kubeconfig", JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "https://" + host + ":" + port, "certificate-authority": "${account}/ca.crt" } }],
        users: [{ name: "u", user: { tokenFile: "${account}/token" } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "elsewhere" } }],
        "current-context": "x",
      }));
      const env = { KUBECONFIG: "/tmp/kubeconfig", PATH: "/usr/local/bin" };
      const list = (args, env) => childProcess.spawnSync("helm", ["list", ...args], { env, encoding: "utf8" }).stderr;
      return [list([], env), list(["--kubeconfig", "/tmp/kubeconfig"], process.env), list(["--kubeconfig=/tmp/none"], process.env)];`);
      const denied = expect.stringContaining('in the namespace "elsewhere"');
      expect(done).toEqual([denied, denied, expect.stringContaining("unreachable")]);
    });

    it("reaches no API server of this machine if the Pod has no token", async () => {
      const containers = [{ name: "manager", image: "hybrid:1" }];
      const spec = { automountServiceAccountToken: false, terminationGracePeriodSeconds: 1, containers };
      await bench.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "bare" }, spec });
      await bench.ok("wait --for=condition=Ready pod/bare --timeout=50s");
      expect(await bench.refused("exec bare -- helm list")).toContain(
        'cluster unreachable: Get "http://127.0.0.1:1/neither-kubeconfig-nor-service-account',
      );
      await bench.ok("delete pod bare");
    });

    it("reports errors with the container's paths", async () => {
      const { stderr } = await helm("install", "none", "/app/helm-charts/none");
      expect(stderr).toContain('path "/app/helm-charts/none" not found');
      expect(
        await inPod(`
        const { stderr } = childProcess.spawnSync("helm", ["template", "/app"], { encoding: "utf8" });
        try { childProcess.execFileSync("helm", ["template", "/app"], { stdio: "pipe" }); } catch (error) { return [stderr, String(error.stderr)]; }`),
      ).toEqual([
        expect.stringMatching(/Chart.yaml/),
        expect.stringMatching(/^(?!.*root\/app).*Chart.yaml/s),
      ]);
    });

    it("is a command of the container", async () => {
      expect(await bench.ok("exec hybrid -- helm list --short")).toBe("absolute\npiped\nrelative\n");
      expect(await bench.ok("exec hybrid -- helm get values piped -o json")).toBe('{"colour":"red"}\n');
      const refused = await bench.refused("exec hybrid -- helm show chart /app/../etc/shadow");
      expect(refused).toContain("/etc/shadow");
    });

    it("is started by the kubelet: Node may start nothing, whatever is loaded before the preload", async () => {
      await inPod(
        `fs.writeFileSync("/tmp/early.cjs", "globalThis.early = require('node:child_process').spawnSync")`,
      );
      const early =
        "-p 'try { early(`/bin/true`); `started` } catch (error) { error.code + process.permission.has(`child`) }'";
      expect(await bench.ok(`exec hybrid -- /nodejs/bin/node -r /tmp/early.cjs ${early}`)).toBe(
        "ERR_ACCESS_DENIEDfalse\n",
      );
    });

    it.each([
      ["sh", "ENOENT"],
      ["/bin/sh", "ENOENT"],
      ["/usr/bin/helm", "ENOENT"],
      ["../usr/local/bin/nothing", "ENOENT"],
      ["/app/main.js", "EACCES"],
    ])("does not start %s", async (file, code) => {
      const done = await inPod(`
      const file = ${JSON.stringify(file)};
      const later = (child) => new Promise((resolve) => child.on("error", (error) => resolve(error.code)).on("exit", () => resolve("started")));
      const now = (start) => { try { start(); return "started"; } catch (error) { return error.code; } };
      return [
        await later(childProcess.spawn(file)),
        await later(childProcess.execFile(file, ["-c", "exit"])),
        childProcess.spawnSync(file).error?.code,
        now(() => childProcess.execFileSync(file)),
      ];`);
      expect(done).toEqual([code, code, code, code]);
    });

    it("starts no program in another way: a shell, Node, a thread, the process itself", async () => {
      const done = await inPod(`
      const later = (child) => new Promise((resolve) => child.on("error", (error) => resolve(error.code)).on("exit", () => resolve("started")));
      const now = (start) => { try { start(); return "started"; } catch (error) { return error.code ?? error.message; } };
      return [
        await later(childProcess.exec("true")),
        now(() => childProcess.execSync("true")),
        await later(childProcess.spawn("helm version; true", { shell: true })),
        await later(childProcess.fork("/app/main.js")),
        await later(childProcess.spawn(process.execPath)),
        now(() => process.execve("/bin/true", ["true"], {})),
        now(() => process.binding("spawn_sync")),
        now(() => new childProcess.ChildProcess()._handle.spawn("/bin/true", ["true"], "/", [], [{ type: "ignore" }], 0)),
        now(() => new threads.Worker("", { eval: true })),
      ];`);
      expect(done).toEqual([
        ...["ENOENT", "ENOENT", "ENOENT", "EACCES", "EACCES"],
        ...Array(4).fill("ERR_ACCESS_DENIED"),
      ]);
    });

    it.runIf(process.platform === "linux")(
      "ends the programs that it started, alone and with the Pod",
      async () => {
        const mark = `waiting-${process.pid}-${name}`;
        await using server = await startSilentServer();
        const running = async () => {
          const pids = (await readdir("/proc")).filter((pid) => /^\d+$/.test(pid));
          const lines = await Promise.all(
            pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
          );
          return lines.filter((line) => /^(?:[^\0]*\/)?helm\0template\0/.test(line) && line.includes(mark))
            .length;
        };
        const start = `childProcess.spawn("helm", ["template", "${mark}", "/app/helm-charts/web", "--values=${server.url}"], { detached: true })`;
        expect(
          await inPod(`
        const child = ${start};
        const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal)));
        process.kill(-child.pid, "SIGKILL");
        const signal = await ended;
        try { process.kill(child.pid, 0); } catch (error) { return [signal, error.code]; }`),
        ).toEqual(["SIGKILL", "ESRCH"]);
        await inPod(`${start}; ${start};`);
        await until(async () => (await running()) === 2);
        await bench.ok("delete pod hybrid");
        await until(async () => (await running()) === 0);
      },
    );
  },
);
