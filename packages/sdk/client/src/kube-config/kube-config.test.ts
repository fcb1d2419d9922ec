import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig as Peer } from "@kubernetes/client-node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createServingCertificate } from "../certificates/authority.ts";
import { createClient } from "../client.ts";
import { CredentialsError } from "./credential.ts";
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
- name: anonymous
contexts:
- name: chosen
  context: { cluster: there, user: ${user}, namespace: shop }
- name: verified
  context: { cluster: data, user: ${user} }
- name: trusting
  context: { cluster: here, user: ${user} }
current-context: chosen
`;

/** Loads the same text with client-node's class. */
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

test("exports a kubeconfig that both classes can read", () => {
  const own = new KubeConfig();
  own.loadFromString(everything("token"));
  const seen = ({ clusters, users, contexts, currentContext }: KubeConfig | Peer) =>
    JSON.parse(JSON.stringify({ clusters, users, contexts, currentContext }));
  for (const again of [new KubeConfig(), new Peer()]) {
    again.loadFromString(own.exportConfig());
    expect(seen(again)).toEqual(seen(own));
  }
});

test("takes the first value of several files and skips missing files, as kubectl does", () => {
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

test("exports a token file with kubectl's field name", () => {
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

// client-node's field is token-file.
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

test("prefers the token file to the token, and uses the token until the file exists, as client-go does", async () => {
  const file = write("config", everything("token").replace("token: t0ken", "token: t0ken, tokenFile: token"));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(file);
  kubeConfig.setCurrentContext("trusting");
  const sent = async () => (await optionsOf(kubeConfig)).headers;
  expect(await sent()).toEqual({ Authorization: "Bearer t0ken" });
  const token = write("token", "first");
  expect(await sent()).toEqual({ Authorization: "Bearer first" });
  // While it is rewritten, it is empty or missing for a moment.
  write("token", "");
  expect(await sent()).toEqual({ Authorization: "Bearer first" });
  rmSync(token);
  expect(await sent()).toEqual({ Authorization: "Bearer first" });
  write("token", "second");
  expect(await sent()).toEqual({ Authorization: "Bearer second" });
});

test.each([
  ["empty", "", "is empty: check that it is mounted and that its writer runs"],
  ["missing", undefined, "cannot be read: ENOENT"],
])("names the user of a token file that is %s if there was no token before", async (_, text, reason) => {
  const token = text === undefined ? join(folder, "token") : write("token", text);
  const kubeConfig = new KubeConfig();
  const authProvider = { name: "tokenFile", config: { tokenFile: token } };
  kubeConfig.loadFromClusterAndUser({ name: "a", server: "https://a" }, { name: "me", authProvider });
  const applied = kubeConfig.applyToHTTPSOptions({});
  await expect(applied).rejects.toThrow(`the tokenFile ${token} of the kubeconfig's user "me" ${reason}`);
  await expect(applied).rejects.toBeInstanceOf(CredentialsError);
});

test("ignores a new certificate until its key is written", async () => {
  const kubeConfig = new KubeConfig();
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  kubeConfig.loadFromClusterAndUser({ name: "a", server: "https://a" }, { name: "me", certFile, keyFile });
  const handed = async () => {
    const { cert, key } = await optionsOf(kubeConfig);
    return [String(cert), String(key)];
  };
  const newPair = () => {
    const { certificate, privateKey } = createServingCertificate(["me"], Date.now());
    return [certificate, privateKey] as const;
  };
  const [first, second] = [newPair(), newPair()];
  await expect(handed()).rejects.toThrow("ENOENT");
  write("tls.crt", first[0]);
  write("tls.key", first[1]);
  expect(await handed()).toEqual(first);
  write("tls.crt", "");
  expect(await handed()).toEqual(first);
  rmSync(certFile);
  write("tls.crt", second[0]);
  expect(await handed()).toEqual(first);
  rmSync(keyFile);
  expect(await handed()).toEqual(first);
  write("tls.key", second[1]);
  utimesSync(keyFile, 1, 1);
  expect(await handed()).toEqual(second);
});

/** Writes a kubeconfig with a plugin beside it, which returns its input as the token. */
function withPlugin(user = "", cluster = "") {
  const plugin = `#!${process.execPath}
    const token = process.env.KUBERNETES_EXEC_INFO;
    console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token } }));`;
  chmodSync(write("plugin.cjs", plugin), 0o700);
  const file = write(
    "config",
    `{ clusters: [{ name: a, cluster: { server: "https://there", ${cluster} } }], contexts: [{ name: a, context: { cluster: a, user: me } }],
       current-context: a, users: [{ name: me, user: { ${user} exec: { apiVersion: client.authentication.k8s.io/v1,
       command: ./plugin.cjs, interactiveMode: Never, provideClusterInfo: true } } }] }`,
  );
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(file);
  return kubeConfig;
}

test("finds an exec plugin beside its kubeconfig, and passes the cluster to it", async () => {
  write("ca.crt", "authority");
  const extension =
    "extensions: [{ name: other, extension: 1 }, { name: client.authentication.k8s.io/exec, extension: { audience: shop } }]";
  const more = `certificate-authority: ca.crt, tls-server-name: api, insecure-skip-tls-verify: true, proxy-url: "http://proxy", ${extension}`;
  const own = withPlugin("", more);
  const again = new KubeConfig();
  again.loadFromString(own.exportConfig());
  for (const each of [own, again]) {
    const { headers } = await optionsOf(each);
    const info = JSON.parse((headers as { Authorization: string }).Authorization.replace("Bearer ", ""));
    expect(info.spec.cluster).toEqual({
      server: "https://there",
      "tls-server-name": "api",
      "insecure-skip-tls-verify": true,
      "certificate-authority-data": base64("authority"),
      "proxy-url": "http://proxy",
      config: { audience: "shop" },
    });
  }
});

test("keeps an exec plugin's answer while another context is in use", async () => {
  const program = `console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: String(process.pid) } }))`;
  const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
  const names = ["one", "two"];
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: names.map((name) => ({ name, server: `https://${name}` })),
    users: names.map((name) => ({
      name,
      exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec },
    })),
    contexts: names.map((name) => ({ name, cluster: name, user: name })),
    currentContext: "",
  });
  const seen: unknown[] = [];
  for (const context of [...names, ...names]) {
    kubeConfig.setCurrentContext(context);
    seen.push((await optionsOf(kubeConfig)).headers);
  }
  expect(seen.slice(2)).toEqual(seen.slice(0, 2));
  expect(seen[0]).not.toEqual(seen[1]);
});

test.each([
  ["a token", "token: t,", { Authorization: "Bearer t" }],
  ["a name and a password", "username: me, password: p,", {}],
  ["a certificate", "client-certificate-data: eA==, client-key-data: eA==,", {}],
])("does not run the exec plugin of a user with %s, as kubectl does not", async (_, user, headers) => {
  expect((await optionsOf(withPlugin(user))).headers).toEqual(headers);
});

test.each([
  ["{ command: p }", "has no apiVersion: set it to client.authentication.k8s.io/v1 or"],
  [
    "{ apiVersion: client.authentication.k8s.io/v1alpha1, command: p }",
    'apiVersion "client.authentication.k8s.io/v1alpha1"',
  ],
  ["{ apiVersion: client.authentication.k8s.io/v1 }", "has no command: name the program to run"],
  [
    "{ apiVersion: client.authentication.k8s.io/v1, command: p }",
    "has no interactiveMode: set it to Never, IfAvailable or Always",
  ],
  [
    "{ apiVersion: client.authentication.k8s.io/v1beta1, command: p, interactiveMode: no }",
    'the interactiveMode "no"',
  ],
  [
    "{ apiVersion: client.authentication.k8s.io/v1beta1, command: p, args: [1] }",
    "args that are not a list of strings",
  ],
  [
    "{ apiVersion: client.authentication.k8s.io/v1beta1, command: p, env: [{ name: a, value: 1 }] }",
    "an env that is not a list",
  ],
  ["true", "is not a mapping: give it a command"],
])("rejects the exec plugin %s when the client is created", (exec, reason) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(everything("token").replace("token: t0ken", `exec: ${exec}`));
  const create = () => createClient(kubeConfig);
  expect(create).toThrow('the exec plugin of the kubeconfig\'s user "token"');
  expect(create).toThrow(reason);
});

test.each([
  [
    "gcp",
    'the gcp auth plugin of the kubeconfig\'s user "token" has been removed: use the exec plugin gke-gcloud-auth-plugin',
  ],
  [
    "azure",
    'the azure auth plugin of the kubeconfig\'s user "token" has been removed: use the exec plugin kubelogin',
  ],
  ["toString", 'no Auth Provider found for name "toString" of the kubeconfig\'s user "token"'],
  ["oidc", 'the oidc auth-provider of the kubeconfig\'s user "token" has no idp-issuer-url'],
])("rejects the auth provider %s with a solution when the client is created", (name, reason) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(everything("token").replace("token: t0ken", `auth-provider: { name: ${name} }`));
  expect(() => createClient(kubeConfig)).toThrow(reason);
});

test.each([
  ["as-groups: [a]", "as-groups without as: set as to the user to impersonate"],
  ["as-uid: a", "as-uid without as"],
  ["as-user-extra: { a: [b] }", "as-user-extra without as"],
  ["as: 1", "an invalid as (expected a string): quote it"],
  ["as: a, as-groups: a", "an invalid as-groups (expected a list of strings)"],
  ["as: a, as-user-extra: { a: b }", "an invalid as-user-extra.a (expected a list of strings)"],
  ["as: a, as-user-extra: [a]", "an invalid as-user-extra (expected a mapping of lists)"],
])("rejects impersonation with {%s} when the client is created", async (impersonation, reason) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(everything("token").replace("token: t0ken", `token: t, ${impersonation}`));
  kubeConfig.setCurrentContext("trusting");
  const message = `the kubeconfig's user "token" has ${reason}`;
  expect(() => createClient(kubeConfig)).toThrow(message);
  await expect(kubeConfig.applyToHTTPSOptions({})).rejects.toThrow(message);
});

test.each([
  ["", "expected a document, but the input is empty"],
  ["[1]", "not a kubeconfig (expected a mapping with clusters, users and contexts)"],
  ["clusters: [{ name: a }]", "clusters[0] has no cluster"],
  ["clusters: [{ cluster: { server: x } }]", "clusters[0] has no name"],
  ["clusters: [{ name: a, cluster: { server: '' } }]", 'the cluster "a" has no server'],
  ["contexts: [{ name: a, context: {} }]", 'the context "a" has no cluster'],
  ["users: [null]", "users[0] has no name"],
])("rejects %j and names what is missing", (text, message) => {
  expect(() => new KubeConfig().loadFromString(text)).toThrow(message);
});
