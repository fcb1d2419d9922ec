import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repositoryRoot as root } from "./repository.ts";
import { type ForeignServer, startForeignServer } from "./testing/hostile-home.ts";
import { openProgram } from "./testing/terminal.ts";

const template = "packages/sdk/operator-sdk/templates/init/hack/which-cluster.sh.mustache";
const scaffolded = [
  "02-memcached-operator/memcached-operator",
  "02-memcached-operator/memcached-operator-v2",
  "03-nginx-operator/nginx-operator",
  "04-hybrid-helm-operator/memcached-operator",
];
const written = ["01-podbuggertool/podbuggertool", "01-podbuggertool/podbuggertool-on-controller-runtime"];
const scripts = [...scaffolded.map((project) => `${project}/hack`), ...written].map((folder) =>
  join(root, "tutorials", folder, "which-cluster.sh"),
);

let place: string;
let cluster: EmbeddedCluster;
let prod: ForeignServer;
let kubectl: string;
/**
 * The contexts are:
 *
 * - operator-path: embedded
 * - limited: the same for a user without permissions
 * - gone: its server has stopped
 * - prod: only the stand-in reaches its server, as a proxy
 */
let kubeconfig: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "which-cluster-"));
  [cluster, prod, { path: kubectl }] = await Promise.all([
    startEmbeddedCluster(),
    startForeignServer(),
    findTool("kubectl"),
  ]);
  const own = JSON.parse(cluster.kubeConfig.exportConfig());
  own.contexts.push({ name: "prod", context: { cluster: "prod", user: "operator-path" } });
  const server = "https://prod.example.com:6443";
  own.clusters.push({ name: "prod", cluster: { server, "proxy-url": prod.url.replace("https", "http") } });
  own.contexts.push({ name: "gone", context: { cluster: "gone", user: "operator-path" } });
  own.clusters.push({ name: "gone", cluster: { server: "https://127.0.0.1:9" } });
  own.contexts.push({ name: "limited", context: { cluster: "operator-path", user: "limited" } });
  own.users.push({ name: "limited", user: { ...own.users[0].user, as: "limited" } });
  kubeconfig = JSON.stringify(own);
});
afterAll(async () => {
  await Promise.all([cluster.stop(), prod.close()]);
  await rm(place, { recursive: true, force: true });
});

/** Runs `make` in the project with this current context, without a terminal. */
async function make(project: string, current: string, ...args: string[]) {
  const { program, words, options } = await makeOf(project, current, ...args);
  const { exitCode, stderr, stdout } = await execa(program, words, { ...options, reject: false });
  return { exitCode, said: `${stdout}\n${stderr}` };
}

async function makeOf(project: string, current: string, ...args: string[]) {
  const cwd = await mkdtemp(join(place, "project-"));
  for (const name of ["Makefile", "hack", "which-cluster.sh", "config", "crd.yaml", "deploy"])
    await cp(join(root, "tutorials", project, name), join(cwd, name), { recursive: true }).catch(() => {});
  const KUBECONFIG = join(cwd, "kubeconfig");
  await writeFile(KUBECONFIG, JSON.stringify({ ...JSON.parse(kubeconfig), "current-context": current }));
  const env = {
    ...{ PATH: `${dirname(kubectl)}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: cwd, KUBECONFIG },
    // A variable of that name in the environment does not count as consent.
    ...{ CONTEXT: "prod", KUBECACHEDIR: join(cwd, "cache") },
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const words = [...args, "CONTROLLER_GEN=true", "OPERATOR_SDK=true"];
  return { program: "make", words, options: { cwd, env, extendEnv: false, stdin: "ignore" } as const };
}

it("is the same script in every project", async () => {
  const text = await readFile(join(root, template), "utf8");
  for (const script of scripts) expect([script, await readFile(script, "utf8")]).toEqual([script, text]);
});

describe.each([...scaffolded, ...written])("the Makefile of %s", (project) => {
  const targets = [
    "install",
    "deploy",
    "undeploy",
    ...(written.includes(project) ? [] : ["uninstall", "run"]),
  ];

  /** Runs `make` with a kubectl that only reads the kubeconfig. Returns also the other calls of it. */
  async function makeAlone(current: string, ...args: string[]) {
    const { program: command, words, options } = await makeOf(project, current, ...args);
    const server = "https://prod.example.com:6443";
    await program(
      options.cwd,
      "kubectl",
      `case "$*" in
"config current-context") echo ${current} ;;
"config view --context=prod "*) echo ${server} ;;
*) echo "kubectl $*" >> sent ;;
esac`,
    );
    const env = { ...options.env, PATH: `${options.cwd}:${options.env.PATH}` };
    const { exitCode, all } = await execa(command, words, { ...options, env, reject: false, all: true });
    const sent = await readFile(join(options.cwd, "sent"), "utf8").catch(() => "");
    return { exitCode, said: all, sent };
  }

  it.each(targets)(
    "without a terminal, %s rejects a cluster that is neither kind nor embedded",
    async (target) => {
      const { exitCode, said, sent } = await makeAlone("prod", target);
      expect([exitCode, sent]).toEqual([2, ""]);
      expect(said).toContain("context prod: https://prod.example.com:6443");
      expect(said).toContain("CONTEXT=prod");
    },
  );

  it.each([
    ["prod", "CONTEXT="],
    ["prod", "CONTEXT= "],
    // kubectl would use the current context.
    ["operator-path", "CONTEXT="],
  ])("rejects an empty context with the current context %s (%s)", async (current, empty) => {
    const { exitCode, said, sent } = await makeAlone(current, "undeploy", empty);
    expect([exitCode, sent]).toEqual([2, ""]);
    expect(said).toContain("No context is selected. Select one: kubectl config use-context <name>");
  });
});

describe("the npm scripts of a project", () => {
  const project = scaffolded[2] ?? "";
  const names = ["test-e2e", "start", "crd:install", "crd:uninstall", "deploy", "undeploy"];

  it.each(names)("%s stays with the approved cluster when the current context changes", async (name) => {
    const before = prod.connections();
    const { options } = await makeOf(project, "operator-path");
    const { cwd } = options;
    for (const file of ["package.json", "test"])
      await cp(join(root, "tutorials", project, file), join(cwd, file), { recursive: true });
    // Another terminal selects prod right after the script has checked the cluster.
    const select = `case "$*" in *"get nodes"*) ${kubectl} config use-context prod >&2 ;; esac`;
    await program(cwd, "kubectl", `${kubectl} "$@" && ${select}`);
    await program(cwd, "make", 'echo "make $*" >> make.log');
    await program(cwd, "helm", "true");
    for (const tool of ["controller-gen", "operator-sdk", "tsc"])
      await program(cwd, `node_modules/.bin/${tool}`, "true");
    const vitest = join(root, "node_modules/vitest");
    await symlink(vitest, join(cwd, "node_modules/vitest"));
    await program(cwd, "node_modules/.bin/vitest", `exec node ${vitest}/vitest.mjs "$@"`);
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "src/main.ts"), "console.error(process.argv.slice(2));");
    const env = { ...options.env, PATH: `${cwd}:${options.env.PATH}`, IMG: "example.com/operator:v1" };
    const { all } = await execa("node", ["--run", name], { ...options, env, all: true, reject: false });
    const made = await readFile(join(cwd, "make.log"), "utf8").catch(() => "");
    expect(all).toContain('Switched to context "prod"');
    expect(`${all}\n${made}`).toMatch(outcomes[name] ?? "");
    expect(made).not.toContain("CONTEXT=prod");
    expect(prod.connections()).toBe(before);
  });
});

/** Expects that a script ran its last command, and on which cluster. */
const outcomes: Readonly<Record<string, RegExp>> = {
  "test-e2e": /make undeploy \S+ CONTEXT=operator-path/,
  start: /'--context=operator-path'/,
  "crd:install": /customresourcedefinition\S+ (created|unchanged|configured)/,
  "crd:uninstall": /customresourcedefinition\S+ "\S+" deleted/,
  deploy: /deployment.apps\S+ (created|unchanged|configured)/,
  undeploy: /deployment.apps "\S+" deleted/,
};

async function program(folder: string, path: string, script: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe("the Makefile of a project", () => {
  const [project = ""] = scaffolded;

  it("writes to an embedded cluster without asking", async () => {
    const { exitCode, said } = await make(project, "operator-path", "install");
    expect([exitCode, said]).toEqual([0, expect.stringContaining(`context operator-path: ${cluster.url}`)]);
    expect(said).toMatch(/customresourcedefinition\S+ (created|unchanged|configured)/);
  });

  it("writes to the cluster of CONTEXT with any current context", async () => {
    const { exitCode } = await make(project, "prod", "install", "CONTEXT=operator-path");
    expect([exitCode, prod.connections()]).toEqual([0, 0]);
    const there = await make(project, "operator-path", "undeploy", "CONTEXT=prod");
    expect(there.exitCode).toBe(2);
    expect(prod.connections()).toBeGreaterThan(0);
  });

  it("without a terminal, rejects a cluster that is neither kind nor embedded, and sends nothing", async () => {
    const before = prod.connections();
    const { exitCode, said } = await make(project, "prod", "undeploy");
    expect([exitCode, said]).toEqual([2, expect.stringContaining("CONTEXT=prod")]);
    expect(prod.connections()).toBe(before);
  });

  it("asks in a terminal, and accepts a no", async () => {
    const before = prod.connections();
    const { program, words, options } = await makeOf(project, "prod", "undeploy");
    const command = ["cd", options.cwd, "&&", program, ...words].join(" ");
    using terminal = openProgram("/bin/sh", ["-c", command], { ...options.env, TERM: "dumb" });
    await terminal.shows("Write to it? [y/N] ");
    terminal.type("\r");
    expect(await terminal.ended()).toBe(2);
    expect(terminal.screen()).toContain("Nothing was written.");
    expect(prod.connections()).toBe(before);
  });

  it("reports that a stopped cluster does not answer", async () => {
    const { exitCode, said } = await make(project, "gone", "undeploy");
    expect([exitCode, said]).toEqual([2, expect.stringContaining("This cluster does not answer")]);
    expect(said).not.toContain("neither kind nor embedded");
  });

  it("asks before a local cluster that does not show its nodes", async () => {
    const { exitCode, said } = await make(project, "limited", "undeploy");
    expect([exitCode, said]).toEqual([2, expect.stringContaining("neither kind nor embedded")]);
  });

  it("does not trust a local address whose nodes belong to another cluster", async () => {
    const foreign = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "a" },
      spec: { providerID: "k3s://a" },
    };
    const env = { KUBECONFIG: cluster.kubeconfigPath };
    await execa(kubectl, ["create", "-f", "-"], { env, input: JSON.stringify(foreign) });
    const { exitCode, said } = await make(project, "operator-path", "undeploy");
    expect([exitCode, said]).toEqual([2, expect.stringContaining("neither kind nor embedded")]);
  });
});
