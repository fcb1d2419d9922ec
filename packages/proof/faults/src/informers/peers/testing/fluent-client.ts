import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { K8s, kind } from "kubernetes-fluent-client";
import { onTestFinished } from "vitest";
import { kubeConfigFor } from "./ours.ts";

type Callback = Parameters<ReturnType<typeof K8s<typeof kind.ConfigMap>>["Watch"]>[0];

/**
 * Returns kubernetes-fluent-client's watcher of the ConfigMaps at that address, until the test ends. It reads
 * the address from KUBECONFIG at each request. The caller starts it.
 */
export async function createFluentWatcher(url: string, callback: Callback) {
  const folder = await mkdtemp(join(tmpdir(), "peers-"));
  const file = join(folder, "kubeconfig");
  await writeFile(file, kubeConfigFor(url).exportConfig());
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = file;
  const watcher = K8s(kind.ConfigMap).InNamespace("shop").Watch(callback);
  onTestFinished(async () => {
    watcher.close();
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
    await rm(folder, { recursive: true });
  });
  return watcher;
}
