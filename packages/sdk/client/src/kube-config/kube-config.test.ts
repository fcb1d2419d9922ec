import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KubeConfig as Peer } from "@kubernetes/client-node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KubeConfig } from "./kube-config.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

const everything = (user: string) => `
apiVersion: v1
kind: Config
clusters:
- name: there
  cluster:
    server: https://there:6443/
    certificate-authority: ca.crt
    tls-server-name: api
    proxy-url: socks5://127.0.0.1:1080
- name: here
  cluster: { server: "https://here", insecure-skip-tls-verify: true }
- name: data
  cluster: { server: "https://data", certificate-authority-data: ${base64("authority")} }
users:
- name: files
  user: { client-certificate: tls.crt, client-key: tls.key, as: jane }
- name: data
  user: { client-certificate-data: ${base64("certificate")}, client-key-data: ${base64("key")} }
- name: token
  user: { token: t0ken }
- name: password
  user: { username: me, password: secret }
- name: nobody
contexts:
- name: chosen
  context: { cluster: there, user: ${user}, namespace: shop }
- name: verified
  context: { cluster: data, user: ${user} }
- name: trusting
  context: { cluster: here, user: ${user} }
current-context: chosen
`;

/** What client-node's class makes of the same. */
async function optionsOf(kubeConfig: KubeConfig | Peer) {
  const options: RequestOptions = {};
  await kubeConfig.applyToHTTPSOptions(options);
  const { agent: _, ...rest } = options;
  return { ...rest, headers: rest.headers ?? {} };
}

test.each(["files", "data", "token", "password"])("%s authenticate as with client-node", async (user) => {
  for (const name of ["ca.crt", "tls.crt", "tls.key"]) write(name, `the ${name}`);
  const file = write("config", everything(user));
  const own = new KubeConfig();
  const peer = new Peer();
  for (const each of [own, peer]) each.loadFromFile(file);
  for (const context of ["chosen", "verified", "trusting"]) {
    for (const each of [own, peer]) each.setCurrentContext(context);
    expect(await optionsOf(own)).toEqual(await optionsOf(peer));
    expect(JSON.parse(JSON.stringify(own.getCurrentCluster()))).toEqual(
      JSON.parse(JSON.stringify(peer.getCurrentCluster())),
    );
    expect(own.getCurrentUser()?.name).toBe(user);
    expect(own.getContextObject(context)).toEqual({ ...peer.getContextObject(context) });
  }
});

test("what is exported is read again by both", () => {
  const own = new KubeConfig();
  own.loadFromString(everything("token"));
  const seen = ({ clusters, users, contexts, currentContext }: KubeConfig | Peer) =>
    JSON.parse(JSON.stringify({ clusters, users, contexts, currentContext }));
  for (const again of [new KubeConfig(), new Peer()]) {
    again.loadFromString(own.exportConfig());
    expect(seen(again)).toEqual(seen(own));
  }
});

test("of several files the first that says something counts, and one may be missing, as with kubectl", () => {
  const of = (name: string, token: string, context = "") =>
    write(
      name,
      JSON.stringify({
        clusters: [{ name: "a", cluster: { server: `https://${name}` } }],
        users: [{ name: "a", user: { token } }],
        contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
        "current-context": context,
      }),
    );
  vi.stubEnv("KUBECONFIG", [join(folder, "none"), of("first", "1"), of("second", "2", "a")].join(delimiter));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  expect([kubeConfig.getCurrentCluster()?.server, kubeConfig.getCurrentUser()?.token]).toEqual([
    "https://first",
    "1",
  ]);
  expect(kubeConfig.getClusters()).toHaveLength(1);
});

test("a file of a token is exported as kubectl calls it", () => {
  const own = new KubeConfig();
  own.loadFromString(everything("token").replace("token: t0ken", "tokenFile: /run/token"));
  const user = JSON.parse(own.exportConfig()).users.find(
    (each: { user: object }) => "tokenFile" in each.user,
  );
  expect(user.user).toEqual({ tokenFile: "/run/token" });
  const again = new KubeConfig();
  again.loadFromString(own.exportConfig());
  expect(again.users).toEqual(own.users);
});

// client-node says token-file.
test.each(["tokenFile", "token-file"])("a token's %s is read again when it has changed", async (field) => {
  write("ca.crt", "ca");
  const file = write("config", everything("token").replace("token: t0ken", `${field}: token`));
  const token = write("token", "first\n");
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(file);
  expect((await optionsOf(kubeConfig)).headers).toEqual({ Authorization: "Bearer first" });
  write("token", "other");
  utimesSync(token, 1, 1);
  expect((await optionsOf(kubeConfig)).headers).toEqual({ Authorization: "Bearer other" });
});

test("an exec plugin is asked, and what it answers is kept", async () => {
  write("ca.crt", "ca");
  const script = `require("fs").appendFileSync(${JSON.stringify(join(folder, "runs"))}, "x"); console.log(JSON.stringify({ status: { token: "from-plugin" } }))`;
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: process.execPath,
    args: ["-e", script],
  };
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "there", server: "https://there" }, { name: "me", exec });
  for (let time = 0; time < 2; time++) {
    expect((await optionsOf(kubeConfig)).headers).toEqual({ Authorization: "Bearer from-plugin" });
  }
  expect(readFileSync(join(folder, "runs"), "utf8")).toBe("x");
});

test.each([
  ["", "expected a document, but the input is empty"],
  ["[1]", "it holds no kubeconfig: a mapping with clusters, users and contexts is expected"],
  ["clusters: [{ name: a }]", "clusters[0] has no cluster"],
  ["clusters: [{ cluster: { server: x } }]", "clusters[0] has no name"],
  ["clusters: [{ name: a, cluster: { server: '' } }]", 'the cluster "a" has no server'],
  ["contexts: [{ name: a, context: {} }]", 'the context "a" has no cluster'],
  ["users: [null]", "users[0] has no name"],
])("%j is refused with what it lacks", (text, message) => {
  expect(() => new KubeConfig().loadFromString(text)).toThrow(message);
});

test("nobody loads all of client-node who has no plugin", async () => {
  const index = fileURLToPath(new URL("../index.ts", import.meta.url));
  const program = `
    const { registerHooks } = await import("node:module");
    registerHooks({ resolve(name, context, next) {
      if (name === "@kubernetes/client-node") throw new Error("client-node was loaded");
      return next(name, context);
    } });
    const { KubeConfig } = await import(${JSON.stringify(index)});
    const kubeConfig = new KubeConfig();
    const user = (more) => kubeConfig.loadFromClusterAndUser({ name: "a", server: "https://a" }, { name: "a", ...more });
    user({ token: "t" });
    await kubeConfig.applyToHTTPSOptions({});
    user({ exec: { command: "true" } });
    await kubeConfig.applyToHTTPSOptions({}).catch((error) => console.log(error.message));
  `;
  const args = ["--conditions=@operator-path/source", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe("client-node was loaded\n");
});
