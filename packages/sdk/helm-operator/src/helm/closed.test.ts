// What other users, and helm itself, can see of the operator: read from /proc while helm waits in a hook.
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMaps } from "@operator-path/client";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Helm } from "./helm.ts";
import type { HelmError } from "./helm-error.ts";
import { sweepHomes } from "./home.ts";
import { type HelmBench, hanging, namespace, patiently, processOf, startHelmBench } from "./testing/bench.ts";

let bench: HelmBench;
let chart: string;
beforeAll(async () => {
  bench = await startHelmBench();
  chart = await bench.chart("waits", hanging);
});
afterAll(() => bench.stop());

/** Variables that a person's shell may have. */
const leaks = {
  ...{
    HELM_NAMESPACE: "elsewhere",
    HELM_KUBECONTEXT: "no-such",
    HELM_KUBETOKEN: "not-a-token",
    HELM_DEBUG: "1",
  },
  ...{
    HELM_DRIVER: "memory",
    HELM_CACHE_HOME: "/leak",
    XDG_CACHE_HOME: "/leak",
    AWS_SECRET_ACCESS_KEY: "leak",
  },
};

function leak(): void {
  const before = { ...process.env };
  Object.assign(process.env, leaks);
  onTestFinished(() => {
    for (const name of Object.keys(leaks)) delete process.env[name];
    Object.assign(process.env, before);
  });
}

/** Installs a release that waits in its hook. */
async function waiting(helm: Helm, name: string, signal: AbortSignal) {
  const values = { hangs: "post-install", size: 1, password: "swordfish" };
  const installed = helm.install({ name, namespace, chart, values }, { signal, description: "by hand" });
  installed.catch(() => {});
  return { installed, pid: await processOf(name, chart) };
}

const fileOf = (pid: number, name: string) => readFile(`/proc/${pid}/${name}`, "utf8");

it("gets its values from an unlinked file of mode 0600, and never as an argument", async () => {
  const end = new AbortController();
  const { installed, pid } = await waiting(bench.helm(), "silent", end.signal);
  expect(await fileOf(pid, "cmdline")).not.toContain("swordfish");
  expect(await fileOf(pid, "environ")).not.toContain("swordfish");
  const file = `/proc/${pid}/fd/0`;
  expect(await readlink(file)).toMatch(/\/values-.*\.json \(deleted\)$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toContain("swordfish");
  end.abort();
  await expect(installed).rejects.toMatchObject({ kind: "cancelled" });
});

it("inherits no environment, and writes only below its own folder, which is removed", async () => {
  leak();
  const helm = bench.helm({
    environment: {
      PATH: "/usr/bin",
      HELM_DRIVER: "memory",
      HELM_NAMESPACE: "x",
      KUBECONFIG: "/x",
      TMPDIR: "/x",
      NO: undefined,
    },
  });
  const end = new AbortController();
  const { installed, pid } = await waiting(helm, "closed", end.signal);
  const environment = Object.fromEntries(
    (await fileOf(pid, "environ"))
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
  const folder = environment.HOME ?? "";
  expect(folder).toMatch(new RegExp(`^${join(tmpdir(), "helm-operator-")}`));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(environment).toEqual({
    ...{
      HOME: folder,
      KUBECONFIG: "/dev/fd/3",
      TMPDIR: join(folder, "tmp"),
      PATH: "/usr/bin",
    },
    ...{ HELM_CACHE_HOME: join(folder, "cache"), HELM_CONFIG_HOME: join(folder, "config") },
    ...{ HELM_DATA_HOME: join(folder, "data"), HELM_DRIVER: "secret", HELM_NO_PLUGINS: "1" },
  });
  expect(await readlink(`/proc/${pid}/cwd`)).toBe(folder);
  // It caches the server's kinds there, too.
  await patiently(async () => expect(await readdir(folder)).toContain(".kube"));
  // The token is in no folder, so nothing of it stays behind when everything is killed.
  expect(await readlink(`/proc/${pid}/fd/3`)).toMatch(/\/kubeconfig-.*\.json \(deleted\)$/);
  expect((await stat(`/proc/${pid}/fd/3`)).mode & 0o777).toBe(0o600);
  const { user } = JSON.parse(bench.cluster.kubeConfig.exportConfig()).users[0];
  const { stdout } = await execa("grep", ["-rlF", "-e", user.token, folder], { reject: false });
  expect(stdout).toBe("");
  await helm.dispose();
  await expect(installed).rejects.toMatchObject({ kind: "cancelled" });
  await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
  const late = helm.dryRun({ name: "late", namespace, chart, values: {} });
  await expect(late).rejects.toMatchObject({ kind: "cancelled" });
  await helm.dispose();
});

it("gets credentials from an exec plugin, with the PATH and HOME that the plugin needs", async () => {
  leak();
  const home = await mkdtemp(join(tmpdir(), "home-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const config = JSON.parse(bench.cluster.kubeConfig.exportConfig());
  const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential" };
  const [{ user }] = config.users;
  await writeFile(join(home, "token"), JSON.stringify({ ...credential, status: { token: user.token } }));
  const plugin = '#!/bin/sh\ncat "$HOME/token"\n';
  await writeFile(join(home, "who-am-i"), plugin, { mode: 0o755 });
  const exec = { apiVersion: credential.apiVersion, command: "who-am-i", interactiveMode: "Never" };
  await writeFile(
    join(home, "config"),
    JSON.stringify({ ...config, users: [{ ...config.users[0], user: { exec } }] }),
  );
  const environment = { ...process.env, HOME: home, PATH: `${home}:${process.env.PATH}` };
  const helm = bench.helm({ kubeconfig: join(home, "config"), environment });
  await helm.install({ name: "plugged", namespace, chart, values: { size: 1 } });
  expect(await bench.state("plugged")).toMatchObject({ kind: "deployed" });
  // Nothing stays behind in that home.
  expect((await readdir(home)).sort()).toEqual(["config", "token", "who-am-i"]);
});

it("ignores the environment of this process", async () => {
  leak();
  const helm = bench.helm();
  await helm.install({ name: "here", namespace, chart, values: { size: 3 } });
  const found = await bench.cluster.client.resource(configMaps).namespace(namespace).get("here");
  expect(found.data?.size).toBe("3");
  expect(await bench.state("here")).toMatchObject({ kind: "deployed" });
});

it("creates its folder again after a cleanup, or after its parent was missing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "place-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const before = process.env.TMPDIR;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const place = join(folder, "tmp");
  process.env.TMPDIR = place;
  const helm = bench.helm();
  const render = () => helm.dryRun({ name: "anew", namespace, chart, values: {} });
  await expect(helm.version()).rejects.toMatchObject({
    ...{
      kind: "not-started",
      message: expect.stringContaining("ENOENT: no such file or directory, mkdtemp"),
    },
  });
  await mkdir(place);
  await render();
  await rm(place, { recursive: true });
  await mkdir(place);
  await Promise.all([render(), render()]);
  expect(await readdir(place)).toEqual([expect.stringMatching(/^helm-operator-/)]);
  await helm.dispose();
  expect(await readdir(place)).toEqual([]);
});

it("stops when this process exits at once", async () => {
  const kubeconfig = await bench.kubeconfig();
  const request = { name: "orphan", namespace, chart, values: { hangs: "pre-install", size: 1 } };
  const script = `
    import { createHelm } from ${JSON.stringify(new URL("create-helm.ts", import.meta.url).href)};
    const helm = createHelm(${JSON.stringify({ path: bench.path, kubeconfig })});
    helm.install(${JSON.stringify(request)});
    process.on("SIGUSR2", () => process.exit(3));
  `;
  const node = ["--conditions=@operator-path/source", "--input-type=module", "--eval", script];
  const operator = execa(process.execPath, node, { reject: false });
  const pid = await processOf("orphan", chart);
  await patiently(async () => expect(await bench.objects()).toContain("Job orphan-hook"));
  operator.kill("SIGUSR2");
  expect(await operator).toMatchObject({ exitCode: 3 });
  // A process that has ended and was not reaped has no arguments.
  await patiently(async () => expect(await fileOf(pid, "cmdline").catch(() => "")).toBe(""));
  // Whether helm records its failure depends on when it notices that its output has no reader.
  expect(["failed", "pending"]).toContain((await bench.state("orphan")).kind);
});

it("leaves no token behind when this process and its helm are killed at once", async () => {
  const place = await mkdtemp(join(tmpdir(), "place-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const kubeconfig = await bench.kubeconfig();
  const request = { name: "killed", namespace, chart, values: { hangs: "pre-install", size: 1 } };
  const script = `
    import { loadKubeConfig } from "@operator-path/client";
    import { createHelm } from ${JSON.stringify(new URL("create-helm.ts", import.meta.url).href)};
    const helm = createHelm({ path: ${JSON.stringify(bench.path)}, kubeconfig: loadKubeConfig() });
    helm.install(${JSON.stringify(request)});
  `;
  const node = ["--conditions=@operator-path/source", "--input-type=module", "--eval", script];
  const env = { KUBECONFIG: kubeconfig, TMPDIR: place };
  const operator = execa(process.execPath, node, { reject: false, env });
  const pid = await processOf("killed", chart);
  await patiently(async () => expect(await bench.objects()).toContain("Job killed-hook"));
  operator.kill("SIGKILL");
  process.kill(-pid, "SIGKILL");
  await operator;
  const [home] = await readdir(place);
  expect(home).toMatch(/^helm-operator-\d+-\d+-/);
  const { user } = JSON.parse(bench.cluster.kubeConfig.exportConfig()).users[0];
  const { stdout } = await execa("grep", ["-rlF", "-e", user.token, place], { reject: false });
  expect(stdout).toBe("");
  // The next operator removes the rest.
  await sweepHomes(place);
  expect(await readdir(place)).toEqual([]);
});

it("gets the variables that client-go needs in a Pod", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  Object.assign(process.env, env);
  onTestFinished(() => {
    for (const name of Object.keys(env)) delete process.env[name];
  });
  const folder = await mkdtemp(join(tmpdir(), "no-helm-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "helm");
  // Prints 4 as its version, and its environment for anything else.
  const script = `process.argv[2] === "version" ? console.log("v4.0.0") : (console.error(JSON.stringify(process.env)), process.exit(1))`;
  await writeFile(path, `#!${process.execPath}\n${script}\n`, { mode: 0o755 });
  const asked = bench.helm({ path, kubeconfig: undefined }).uninstall({ name: "pod", namespace });
  const { stderr } = await asked.then(
    () => ({ stderr: "" }),
    (error: HelmError) => error,
  );
  expect(JSON.parse(stderr)).toMatchObject(env);
});
