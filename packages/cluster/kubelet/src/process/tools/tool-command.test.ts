import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ToolRequest } from "../preload/protocol.ts";
import { toolCommand } from "./tool-command.ts";
import { toolPaths } from "./tool-paths.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-command-")));
afterAll(() => rmSync(top, { recursive: true }));
const root = join(top, "c/root");
const tmp = join(top, "v/2-tmp");
const token = join(top, "v/1-token");
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const own = join(top, "c/tools");
for (const folder of [root, tmp, token, own, join(root, "app")]) mkdirSync(folder, { recursive: true });
symlinkSync(tmp, join(root, "tmp"));
symlinkSync("/etc", join(root, "app/out"));

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
write(join(root, "app/own"), "#!/bin/sh");
const config = (user: object) =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server: "https://h", "certificate-authority": "ca.crt" } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
const impersonation = { as: "a", "as-groups": ["b"], "as-uid": "c", "as-user-extra": { d: ["e"] } };
write(join(tmp, "kubeconfig"), config({ tokenFile: `${account}/token`, ...impersonation }));
write(join(tmp, "exec"), config({ exec: { command: "sh" } }).replace("exec", "\\u0065xec"));
// A file of the host that a Pod can name but must not read.
write(join(top, "admin"), config({ token: "administrator" }));

const tools = {
  executables: new Map([["/usr/local/bin/helm", "/opt/helm"]]),
  root,
  folder: own,
  empty: join(own, "empty"),
  kubeconfig: join(own, "kubeconfig"),
  nowhere: join(own, "nowhere"),
};
const cluster = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };

function command(asked: Partial<ToolRequest>) {
  const mounts = [
    [account, token],
    ["/tmp", tmp],
  ] as const;
  const result = toolCommand(
    { file: "helm", args: [], cwd: "/app", env: cluster, ...asked },
    tools,
    toolPaths({ root, mounts, reads: [tmp, token] }),
  );
  if (typeof result === "string") return { code: result, refused: undefined, args: [], env: {}, cwd: "" };
  const refused = result.file === "/bin/sh" ? result.args.at(-1) : undefined;
  return { ...result, code: undefined, refused, env: result.env as Record<string, string> };
}

describe("the started program", () => {
  it.each([
    [{ file: "helm" }],
    [{ file: "/usr/local/bin/helm" }],
    [{ file: "../usr/./local/bin/helm" }],
    [{ file: join(root, "usr/local/bin/helm") }],
    [{ file: "helm", env: { PATH: "/bin:/usr/local/bin" } }],
    [{ file: "./helm", cwd: "/usr/local/bin" }],
  ])("is this machine's helm: %j", (asked) => {
    expect(command(asked)).toMatchObject({ file: "/opt/helm" });
  });

  it.each([
    [{ file: "sh" }, "ENOENT"],
    [{ file: "/bin/sh" }, "ENOENT"],
    [{ file: "/proc/self/root/bin/sh" }, "ENOENT"],
    [{ file: "sh", env: { PATH: "/proc/self/root/bin" } }, "ENOENT"],
    [{ file: "/opt/helm" }, "ENOENT"],
    [{ file: "../../../c/tools/kubeconfig" }, "ENOENT"],
    [{ file: "helm", env: { PATH: "/bin" } }, "ENOENT"],
    [{ file: "constructor" }, "ENOENT"],
    [{ file: "/app/own" }, "EACCES"],
    [{ file: "own", env: { PATH: "/app" } }, "EACCES"],
    [{ file: process.execPath }, "EACCES"],
  ])("is nothing else: %j", (asked, code) => {
    expect(command(asked)).toMatchObject({ code });
  });
});

describe("the program's files", () => {
  it.each([
    ["/etc/hostname", () => join(root, "etc/hostname")],
    ["../../../../etc/hostname", () => join(root, "etc/hostname")],
    ["/proc/self/root/etc/hostname", () => join(root, "proc/self/root/etc/hostname")],
    ["/tmp/values.yaml", () => join(tmp, "values.yaml")],
    ["/dev/stdin", () => "/dev/stdin"],
  ])("are the container's: %s", (path, host) => {
    expect(command({ args: ["template", "web", "./c", "--values", path] }).args.at(-1)).toBe(host());
  });

  it("are not behind a link that leads out of the container", () => {
    const { refused } = command({ args: ["template", "web", "./c", "-f", "/app/out/hostname"] });
    expect(refused).toBe("Error: /app/out/hostname is a link that leads out of the container");
  });
});

describe("the program's environment", () => {
  it("contains known variables with the host's paths, and names no program", () => {
    const { env, cwd } = command({
      cwd: "/tmp/work",
      env: {
        ...{ HOME: "home", HELM_CACHE_HOME: "/app/cache", PATH: "/usr/local/bin:/bin", HELM_DEBUG: "1" },
        ...{ LD_PRELOAD: "/app/x.so", NODE_OPTIONS: "--x", HELM_NO_PLUGINS: "0", HELM_PLUGINS: "/app/p" },
        ...{ DOCKER_CONFIG: "/app", GNUPGHOME: "/app", KUBECACHEDIR: "/app", COLOUR: "x" },
      },
    });
    expect(cwd).toBe(join(tmp, "work"));
    expect(env).toEqual({
      HOME: join(tmp, "work/home"),
      HELM_CACHE_HOME: join(root, "app/cache"),
      TMPDIR: tmp,
      HELM_DEBUG: "1",
      ...{ PATH: tools.empty, HELM_PLUGINS: tools.empty, HELM_NO_PLUGINS: "1", DOCKER_CONFIG: tools.empty },
      KUBECONFIG: tools.nowhere,
      OPERATOR_PATH_ROOT: root,
    });
  });

  it("contains no registry configuration that names a credential helper", () => {
    write(join(tmp, "r.json"), '{"creds\\u0053tore":"x"}');
    const { refused } = command({ args: ["pull", "oci://h/c", "--registry-config", "/tmp/r.json"] });
    expect(refused).toContain("names a credential helper");
    expect(command({ env: { HELM_REGISTRY_CONFIG: "/tmp/r.json" } }).refused).toContain(
      "names a credential helper",
    );
  });
});

describe("the program's kubeconfig", () => {
  it.each<[string, Partial<ToolRequest>, string]>([
    ["in a Pod", {}, tools.kubeconfig],
    ["with a missing kubeconfig", { env: { ...cluster, KUBECONFIG: "/tmp/none" } }, tools.kubeconfig],
    ["with a server on the command line", { args: ["list", "--kube-apiserver=https://x"] }, tools.nowhere],
    [
      "with a server in the environment",
      { env: { ...cluster, HELM_KUBEAPISERVER: "https://x" } },
      tools.nowhere,
    ],
    ["without the variables of a Pod", { env: {} }, tools.nowhere],
    [
      "with a relative path that leads out of the container",
      { env: { KUBECONFIG: "../../../admin" } },
      tools.nowhere,
    ],
    ["with a HOME outside of the container", { env: { HOME: "../../.." } }, tools.nowhere],
    ["with a path through /proc", { env: { KUBECONFIG: `/proc/self/root${top}/admin` } }, tools.nowhere],
  ])("%s", (_, asked, expected) => {
    expect((command(asked).env as Record<string, string>).KUBECONFIG).toBe(expected);
  });

  it("is a copy of the container's with the host's paths", () => {
    const { KUBECONFIG = "" } = command({ env: { KUBECONFIG: "kubeconfig" }, cwd: "/tmp" }).env as Record<
      string,
      string
    >;
    expect(dirname(KUBECONFIG)).toBe(own);
    expect(JSON.parse(readFileSync(KUBECONFIG, "utf8"))).toMatchObject({
      clusters: [{ cluster: { "certificate-authority": join(tmp, "ca.crt") } }],
      users: [{ user: { tokenFile: join(token, "token"), ...impersonation } }],
    });
    const flag = command({ args: ["list", "--kubeconfig=/tmp/kubeconfig", "-A"] });
    expect(flag).toMatchObject({ args: ["list", "-A"], env: { KUBECONFIG } });
  });

  it("is refused when it names a program, is missing, or leads out of the container", () => {
    const refused = (path: string) => command({ args: ["list", "--kubeconfig", path] }).refused;
    expect(refused("/tmp/exec")).toContain("the user u gets credentials from a program");
    expect(refused("/tmp/none")).toContain("stat /tmp/none: no such file or directory");
    expect(refused("../../../admin")).toContain("no such file or directory");
    expect(refused("/app/out/passwd")).toContain("leads out of the container");
  });
});
