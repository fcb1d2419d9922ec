import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterRoles, configMaps, createClient, namespaces } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { findStore } from "../container-tool/find-store.ts";
import { type EmbeddedCluster, startEmbeddedCluster } from "../embedded/start.ts";
import { UserError } from "../user-error.ts";
import type { Consent } from "./open.ts";
import { type ExistingClusterOptions, openExistingCluster } from "./open.ts";

let somebodys: EmbeddedCluster;
let home: string;
let kubeconfig: string;
const spoken: string[] = [];
const say = (line: string): void => void spoken.push(line);

beforeAll(async () => {
  somebodys = await startEmbeddedCluster({ name: "theirs" });
  home = realpathSync(mkdtempSync(join(tmpdir(), "existing-home-")));
  mkdirSync(join(home, ".kube"));
  kubeconfig = join(home, ".kube", "config");
  const own = parse(readFileSync(somebodys.kubeconfigPath, "utf8"));
  writeFileSync(kubeconfig, stringify(own));
});
afterAll(async () => {
  await somebodys?.stop();
  rmSync(home, { recursive: true, force: true });
});

const yes: Consent = { yes: true, say };
const context = "operator-path";
const env = () => ({ HOME: home, PATH: process.env.PATH });
const open = (o: Partial<ExistingClusterOptions> = {}) =>
  openExistingCluster({ context, consent: yes, env: env(), ...o });
/** Returns the existing namespaces, as another client sees them. */
async function namesOf(): Promise<string[]> {
  const client = createClient(somebodys.kubeConfig);
  try {
    const { items } = await client.resource(namespaces).list();
    return items
      .map(({ metadata }) => metadata?.name ?? "")
      .filter((name) => name.startsWith("operator-path"));
  } finally {
    await client.close();
  }
}
/** Returns a changed copy of the cluster's kubeconfig. */
function changed(file: string, change: (document: ReturnType<typeof parse>) => void): NodeJS.ProcessEnv {
  const document = parse(readFileSync(kubeconfig, "utf8"));
  change(document);
  const path = join(home, file);
  writeFileSync(path, stringify(document));
  return { ...env(), KUBECONFIG: path };
}

test("a user's cluster is used in a new namespace, which is deleted again, and the user's kubeconfig is not written", async () => {
  const before = { text: readFileSync(kubeconfig, "utf8"), time: statSync(kubeconfig).mtimeMs };
  const cluster = await open({ suffix: "abc123" });
  expect(spoken.at(-1)).toBe(
    `context operator-path: ${somebodys.url}, as ${before.text.match(/user: (\S+)/)?.[1]}`,
  );
  expect(cluster).toMatchObject({ provider: "existing", namespace: "operator-path-abc123" });
  expect(await namesOf()).toEqual(["operator-path-abc123"]);
  expect(statSync(cluster.kubeconfigPath).mode & 0o777).toBe(0o600);
  const copy = parse(readFileSync(cluster.kubeconfigPath, "utf8"));
  expect(copy.contexts).toEqual([
    { name: "operator-path", context: expect.objectContaining({ namespace: "operator-path-abc123" }) },
  ]);
  // Images built for it go where its own container-tool puts them.
  const folderOf = async (path: string) => (await findStore({ KUBECONFIG: path })).folder;
  expect(await folderOf(cluster.kubeconfigPath)).toBe(await folderOf(somebodys.kubeconfigPath));
  expect(cluster.images?.containers).toBe(false);

  const client = createClient(cluster.kubeConfig);
  await client
    .resource(configMaps)
    .namespace(cluster.namespace)
    .create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "left" } });
  await client.close();
  await cluster.stop();
  await cluster.stop();
  expect(await namesOf()).toEqual([]);
  expect(() => statSync(cluster.kubeconfigPath)).toThrow("ENOENT");
  expect({ text: readFileSync(kubeconfig, "utf8"), time: statSync(kubeconfig).mtimeMs }).toEqual(before);
});

test("existing objects that would be created are reported before anything is written", async () => {
  const client = createClient(somebodys.kubeConfig);
  await client.resource(clusterRoles).create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "shop-manager" },
  });
  await client.close();
  const creates = [
    "namespaces/shop",
    "clusterroles/shop-*",
    "clusterroles/shop",
    "memcacheds/none",
    "namespaces/default",
  ];
  await expect(open({ creates })).rejects.toThrow(
    /would be created: clusterroles\/shop-manager, namespaces\/default\. Nothing was changed\./,
  );
  expect(await namesOf()).toEqual([]);
});

const loose = (): NodeJS.ProcessEnv =>
  changed("insecure", (it) => {
    delete it.clusters[0].cluster["certificate-authority-data"];
    it.clusters[0].cluster["insecure-skip-tls-verify"] = true;
  });
const plugin = (): NodeJS.ProcessEnv =>
  changed("plugin", (it) => {
    writeFileSync(join(home, "token.sh"), `#!/bin/sh\ntouch '${home}/token-ran'\n`, { mode: 0o755 });
    const apiVersion = "client.authentication.k8s.io/v1";
    it.users[0].user = { exec: { apiVersion, command: "./token.sh", interactiveMode: "Never" } };
  });

test.each([
  ["no terminal", env, { say }, "There is no terminal to ask you in: agree with --yes"],
  ["a refusal", env, { say, ask: async () => false }, "nothing was done"],
  [
    "insecure TLS",
    loose,
    yes,
    "does not verify the server (insecure TLS). There is no terminal to ask you in: agree with --allow-insecure-tls",
  ],
  ["insecure TLS, and a refusal", loose, { ...yes, ask: async () => false }, "nothing was done"],
  [
    "an exec plugin",
    plugin,
    yes,
    /running `.*\/token\.sh` on this machine. There is no terminal .* --allow-exec-plugin/,
  ],
])("does nothing without consent: %s", async (_, environment, consent, message) => {
  const error = await open({ consent, env: environment() }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toHaveProperty(
    "message",
    expect.stringMatching(typeof message === "string" ? escaped(message) : message),
  );
  expect(await namesOf()).toEqual([]);
  expect(readdirSync(home)).not.toContain("token-ran");
});
test.each([
  ["that fails", plugin, /token\.sh" of the kubeconfig's user ".*" printed nothing$/],
  [
    "without an interactiveMode",
    () =>
      changed("plugin", (it) => {
        it.users[0].user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./token.sh" } };
      }),
    /has no interactiveMode: set it to Never, IfAvailable or Always/,
  ],
])("an exec plugin %s is reported, and nothing is done", async (_, environment, message) => {
  const consent = { ...yes, allowExecPlugin: true };
  const error = await open({ consent, env: environment() }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  expect((error as UserError).message).toMatch(/^the context .* cannot be used: the exec plugin/);
  expect((error as UserError).message).toMatch(message);
  expect(await namesOf()).toEqual([]);
});

const escaped = (text: string): RegExp => new RegExp(text.replaceAll(/[().?]/g, "\\$&"));

test("each question is asked separately, and a plugin runs with the user's HOME and PATH", async () => {
  const token = parse(readFileSync(kubeconfig, "utf8")).users[0].user.token;
  const environment = plugin();
  const answer = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${token}"}}`;
  writeFileSync(join(home, "token.sh"), `#!/bin/sh\necho "$HOME" > '${home}/token-ran'\necho '${answer}'\n`, {
    mode: 0o755,
  });
  const asked: string[] = [];
  const consent: Consent = {
    say,
    async ask(question) {
      asked.push(question);
      return true;
    },
  };
  await using opened = new AsyncDisposableStack();
  const cluster = await open({ consent, env: environment });
  opened.defer(() => cluster.stop());
  expect(asked).toEqual([
    expect.stringContaining("token.sh` on this machine. Continue?"),
    expect.stringContaining("will be created there"),
  ]);
  const { exec } = parse(readFileSync(cluster.kubeconfigPath, "utf8")).users[0].user;
  expect(exec.command).toBe(join(home, "token.sh"));
  expect(exec.env).toContainEqual({ name: "HOME", value: home });
  expect(readFileSync(join(home, "token-ran"), "utf8")).toBe(`${home}\n`);
});

test("an interrupt before the namespace exists leaves nothing", async () => {
  const abort = new AbortController();
  const consent: Consent = {
    say,
    async ask() {
      abort.abort(new Error("interrupted"));
      return true;
    },
  };
  await expect(open({ consent: { ...consent, yes: false }, signal: abort.signal })).rejects.toThrow(
    "interrupted",
  );
  expect(await namesOf()).toEqual([]);
});

test.each([
  [
    "a missing context",
    () => env(),
    "prod",
    /there is no context "prod" in .*config; existing contexts: operator-path/,
  ],
  [
    "a missing kubeconfig",
    () => ({ HOME: "/nowhere" }),
    context,
    "there is no kubeconfig at /nowhere/.kube/config",
  ],
  ["invalid YAML", () => changedText("broken", "a: [\n"), context, /the kubeconfig .*broken is not YAML/],
  ["a missing cluster entry", () => changed("lost", (it) => (it.clusters = [])), context, "has no server in"],
  [
    "an unreachable server",
    () => changed("away", (it) => (it.clusters[0].cluster.server = "https://127.0.0.1:1")),
    context,
    "does not answer at https://127.0.0.1:1",
  ],
  [
    "a wrong token",
    () => changed("stranger", (it) => (it.users[0].user.token = "wrong")),
    context,
    "the context operator-path cannot be used",
  ],
])("reports %s in words", async (_, environment, name, message) => {
  const error = await open({ env: environment(), context: name }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toHaveProperty("message", expect.stringMatching(message));
  expect(await namesOf()).toEqual([]);
});

function changedText(file: string, text: string): NodeJS.ProcessEnv {
  writeFileSync(join(home, file), text);
  return { HOME: home, KUBECONFIG: join(home, file) };
}
