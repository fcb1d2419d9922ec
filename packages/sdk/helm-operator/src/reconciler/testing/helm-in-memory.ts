import { type Client, configMaps, secrets } from "@operator-path/client";
import type { Helm, ReleaseKey, ReleaseRequest } from "../../helm/helm.ts";
import type { Release } from "../../release/release.ts";
import { encodeRelease } from "../../release/testing/releases.ts";

/**
 * Renders a ConfigMap with the values, and stores releases as helm does: for tests with very many of them.
 */
export function createHelmInMemory(client: Client, now: () => number): Helm & { readonly calls: string[] } {
  const calls: string[] = [];
  const manifestOf = ({ name, values }: ReleaseRequest) =>
    JSON.stringify({
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
      data: { values: JSON.stringify(values) },
    });

  async function store(request: ReleaseRequest, revision: number): Promise<void> {
    const { name, namespace, values } = request;
    const manifest = manifestOf(request);
    const labels = { "app.kubernetes.io/managed-by": "Helm" };
    const annotations = { "meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": namespace };
    const object = { ...JSON.parse(manifest), metadata: { name, labels, annotations } };
    await client
      .resource(configMaps)
      .namespace(namespace)
      .patch(name, object, { type: "apply", fieldManager: "helm", force: true });
    const chart = { name: "web", version: "0.1.0" };
    const release: Release = {
      ...{ name, namespace, revision, status: "deployed", manifest, hooks: [], chart, values },
      lastDeployed: new Date(now()).toISOString(),
    };
    await client.resource(secrets).namespace(namespace).create(encodeRelease(release));
  }

  return {
    calls,
    version: async () => "4.0.0",
    async dryRun(request) {
      calls.push("dry run");
      return { manifest: manifestOf(request), hooks: [] };
    },
    async install(request) {
      calls.push("install");
      await store(request, 1);
    },
    async upgrade(request) {
      calls.push("upgrade");
      await store(request, 2);
    },
    rollback: () => Promise.reject(new Error("not in these tests")),
    async uninstall({ name, namespace }: ReleaseKey) {
      calls.push("uninstall");
      const labelSelector = `owner=helm,name=${name}`;
      await client.resource(secrets).namespace(namespace).deleteCollection({ labelSelector });
    },
    async dispose() {},
  };
}
