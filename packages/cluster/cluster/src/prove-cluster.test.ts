import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { findTool } from "@operator-path/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proveCluster } from "./prove-cluster.ts";

const own = { server: "https://127.0.0.1:6443", "certificate-authority-data": base64("ours") };

let folder: string;
let kubectl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prove-cluster-"));
  kubectl = (await findTool("kubectl")).path;
  await writeFile(join(folder, "ca.crt"), "ours");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Proves that kubectl with this kubeconfig reaches our cluster. */
async function prove(cluster: object, current = "operator-path"): Promise<void> {
  const KUBECONFIG = join(folder, "config");
  await writeFile(KUBECONFIG, kubeconfig(cluster, current));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig(own, "operator-path"));
  await proveCluster({ name: "dev", kubeConfig }, { kubectl, env: { HOME: folder, KUBECONFIG } });
}

test("accepts a kubeconfig of the same URL and authority, whatever its context is called", async () => {
  await prove(own);
  await prove(own, "mine");
  await prove({ ...own, server: "https://127.0.0.1:6443/" });
  await prove({ server: own.server, "certificate-authority": join(folder, "ca.crt") });
});

test.each([
  [
    "another server of the same context's name",
    { ...own, server: "https://prod:6443" },
    "would write to https://prod:6443",
  ],
  [
    "another authority behind the same URL",
    { ...own, "certificate-authority-data": base64("theirs") },
    "another certificate authority",
  ],
  [
    "a server that is not verified",
    { server: own.server, "insecure-skip-tls-verify": true },
    "another certificate authority",
  ],
])("rejects %s, with both servers", async (_what, cluster, said) => {
  await expect(prove(cluster)).rejects.toThrow(said);
  await expect(prove(cluster)).rejects.toThrow("not to the cluster dev at https://127.0.0.1:6443");
});

test("rejects a kubeconfig without a current context", async () => {
  await expect(prove(own, "")).rejects.toThrow("kubectl has no current cluster");
});

function kubeconfig(cluster: object, name: string): string {
  const contexts = name === "" ? [] : [{ name, context: { cluster: "one", user: "one" } }];
  const users = [{ name: "one", user: {} }];
  return JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": name, contexts, users },
    clusters: [{ name: "one", cluster }],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
