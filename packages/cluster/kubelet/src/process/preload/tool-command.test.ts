import { describe, expect, it } from "vitest";
import { createPaths } from "./paths.ts";
import { type Asked, toolCommand } from "./tool-command.ts";

const root = "/pods/c/root";
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const cluster = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };

/** @param files of the host, by path */
function command(asked: Partial<Asked>, files: Record<string, string> = {}) {
  const paths = createPaths({
    root,
    mounts: [
      [account, "/pods/v/1-token"],
      ["/tmp", "/pods/v/2-tmp"],
    ],
    visible: [],
  });
  const tools = {
    executables: { "/usr/local/bin/helm": "/opt/helm" },
    kubeconfig: "/pods/c/tools/kubeconfig",
    nowhere: "/pods/c/tools/nowhere",
    folder: "/pods/c/tools",
    others: false,
  };
  const result = toolCommand(
    { file: "helm", args: [], cwd: "/app", env: cluster, ...asked },
    {
      tools,
      paths,
      root,
      files: {
        exists: (path) => path in files,
        read: (path) => files[path],
        write(path, text) {
          files[path] = text;
        },
      },
    },
  );
  return typeof result === "string" ? { code: result, file: "", args: [], env: {}, cwd: "" } : result;
}

describe("what is started", () => {
  it.each([
    [{ file: "helm" }],
    [{ file: "/usr/local/bin/helm" }],
    [{ file: "../usr/./local/bin/helm" }],
    [{ file: "helm", env: { PATH: "/bin:/usr/local/bin" } }],
    [{ file: "./helm", cwd: "/usr/local/bin" }],
  ])("is this machine's helm: %j", (asked) => {
    expect(command(asked)).toMatchObject({ file: "/opt/helm" });
  });

  it.each([
    [{ file: "sh" }, "ENOENT"],
    [{ file: "/opt/helm" }, "ENOENT"],
    [{ file: "helm", env: { PATH: "/bin" } }, "ENOENT"],
    [{ file: "constructor" }, "ENOENT"],
    [{ file: "/app/own" }, "EACCES"],
    [{ file: "own", env: { PATH: "/app" } }, "EACCES"],
    [{ file: process.execPath }, "EACCES"],
  ])("is nothing else: %j", (asked, code) => {
    expect(command(asked, { [`${root}/app/own`]: "#!/bin/sh" })).toMatchObject({ code });
  });
});

describe("its environment", () => {
  it("has the host's paths, and nothing that loads code or leads to the host's programs", () => {
    const { env, cwd } = command({
      cwd: "/tmp/work",
      env: {
        ...{
          HOME: "/tmp/home",
          HELM_CACHE_HOME: "/app/cache",
          PATH: "/usr/local/bin:/bin",
          COLOUR: "/app",
          HELM_DEBUG: "1",
        },
        ...{
          LD_PRELOAD: "/app/x.so",
          NODE_OPTIONS: "--x",
          HELM_NO_PLUGINS: "0",
          HELM_KUBEAPISERVER: "https://h:1",
        },
      },
    });
    expect(cwd).toBe("/pods/v/2-tmp/work");
    expect(env).toEqual({
      HOME: "/pods/v/2-tmp/home",
      HELM_CACHE_HOME: `${root}/app/cache`,
      PATH: `${root}/usr/local/bin:${root}/bin`,
      TMPDIR: "/pods/v/2-tmp",
      COLOUR: "/app",
      HELM_DEBUG: "1",
      HELM_KUBEAPISERVER: "https://h:1",
      HELM_NO_PLUGINS: "1",
      OPERATOR_PATH_ROOT: root,
    });
  });
});

describe("its way to the API", () => {
  const own = "/pods/c/tools/kubeconfig";
  it.each([
    ["in a Pod", {}, own],
    ["in a Pod, with a kubeconfig that is not there", { env: { ...cluster, KUBECONFIG: "/tmp/none" } }, own],
    ["to a server that it is told", { args: ["--kube-apiserver=https://x"] }, undefined],
    ["without the variables of a Pod, nowhere", { env: {} }, "/pods/c/tools/nowhere"],
    ["with a flag for a kubeconfig that is not there", { args: ["--kubeconfig", "/tmp/none"] }, undefined],
  ])("%s", (_, asked, expected) => {
    const { KUBECONFIG } = command(asked).env as { KUBECONFIG?: string };
    expect(KUBECONFIG).toBe(expected);
  });

  it("is that of the container's kubeconfigs, with the host's paths in a copy", () => {
    const files: Record<string, string> = {
      "/pods/v/2-tmp/a": `{"tokenFile":"${account}/token"}`,
      [`${root}/app/b`]: "plain: 1",
    };
    const env = { ...cluster, KUBECONFIG: "/tmp/a:/tmp/none:/app/b" };
    const { KUBECONFIG = "" } = command({ env }, files).env as { KUBECONFIG?: string };
    const [copy = "", plain] = KUBECONFIG.split(":");
    expect(files[copy]).toBe('{"tokenFile":"/pods/v/1-token/token"}');
    expect(copy).toMatch(/^\/pods\/c\/tools\/kubeconfig-/);
    expect(plain).toBe(`${root}/app/b`);
    const flag = command({ args: ["list", "--kubeconfig=/tmp/a", "-A"] }, files);
    expect(flag).toMatchObject({ args: ["list", "-A"], env: { KUBECONFIG: copy } });
  });
});
