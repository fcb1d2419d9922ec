import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "./client.ts";
import { inClusterConfig, loadKubeConfig } from "./load-kube-config.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("KUBECONFIG", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function write(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const valid = (server: string) =>
  JSON.stringify({
    "current-context": "there",
    contexts: [{ name: "there", context: { cluster: "there", user: "me" } }],
    clusters: [{ name: "there", cluster: { server } }],
    users: [{ name: "me", user: { token: "t" } }],
  });

test("reads the file that KUBECONFIG names, otherwise the one in HOME", () => {
  write(".kube/config", valid("https://below-home"));
  expect(loadKubeConfig().getCurrentCluster()?.server).toBe("https://below-home");
  vi.stubEnv("KUBECONFIG", write("other", valid("https://named")));
  expect(loadKubeConfig().getCurrentCluster()?.server).toBe("https://named");
});

test("names all the places that it has searched if there is no kubeconfig", () => {
  const message = `no kubeconfig: KUBECONFIG is not set, ${join(home, ".kube/config")} does not exist, and this process is not in a Pod; set KUBECONFIG to the path of a kubeconfig`;
  expect(() => loadKubeConfig()).toThrow(message);
});

test.each([
  ["missing", undefined, /nothing" cannot be read: ENOENT: no such file or directory/],
  ["broken", "a: [", /broken" cannot be read: .+/],
  ["empty", "", /empty" cannot be read: .+/],
  ["without contexts", "{}", /contexts" names no cluster for its current context/],
  ["a text", "hello", /a text" (cannot be read: .+|names no cluster for its current context)/],
])("names the file in one line if it is %s", (name, text, message) => {
  const file = text === undefined ? join(home, "nothing") : write(name, text);
  vi.stubEnv("KUBECONFIG", file);
  expect(() => loadKubeConfig()).toThrow(message);
  expect(() => loadKubeConfig()).toThrow(/^the kubeconfig .*KUBECONFIG.*$/);
});

test("rejects client-node's default kubeconfig when the client is created", () => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  expect(() => createClient(kubeConfig)).toThrow("no kubeconfig was found");
});

test("rejects a server that is not a URL when the client is created", () => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(valid("127.0.0.1:8001"));
  expect(() => createClient(kubeConfig)).toThrow(
    'the kubeconfig\'s cluster "there" has the server "127.0.0.1:8001", which is not a URL (expected one like https://127.0.0.1:6443)',
  );
});

const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

test("reads a ServiceAccount's files below a custom root", () => {
  const root = mkdtempSync(join(tmpdir(), "in-cluster-"));
  const folder = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries({ token: "t", "ca.crt": "ca", namespace: "shop\n" })) {
    writeFileSync(join(folder, file), text);
  }
  const kubeConfig = inClusterConfig({ root, env });
  expect(kubeConfig.getCurrentCluster()).toMatchObject({
    server: "https://10.96.0.1:443",
    caFile: join(folder, "ca.crt"),
  });
  expect(kubeConfig.getContextObject("in-cluster")?.namespace).toBe("shop");
  const fromEnvironment = inClusterConfig({ env: { ...env, OPERATOR_PATH_SERVICE_ACCOUNT_ROOT: root } });
  expect(fromEnvironment.getCurrentCluster()).toEqual(kubeConfig.getCurrentCluster());
  rmSync(root, { recursive: true });
});

test("names the missing variable or file outside a Pod", () => {
  expect(() => inClusterConfig({ env: {} })).toThrow("KUBERNETES_SERVICE_HOST");
  expect(() => inClusterConfig({ root: "/nowhere", env })).toThrow("/nowhere/var/run/secrets");
});
