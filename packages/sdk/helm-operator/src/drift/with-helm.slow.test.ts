import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMaps, deployments, type KubeObject } from "@operator-path/client";
import { rawPatch } from "@operator-path/controller-runtime";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providersHere, startDriftCluster } from "./testing/drift-bench.ts";

const chart = {
  "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
  "values.yaml": "image: nginx:1\nold: true\n",
  "templates/all.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data:
  kept: {{ .Values.image | quote }}
{{- if .Values.old }}
  old: "1"
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: {{ .Values.image }}
          ports: [{ containerPort: 80 }]
{{- if .Values.old }}
        - { name: old, image: old }
{{- end }}
`,
};

describe.each(await providersHere())("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  let folder = "";
  let helmPath = "";
  beforeAll(async () => {
    running = await startDriftCluster(provider);
    helmPath = (await findTool("helm")).path;
    folder = await mkdtemp(join(tmpdir(), "with-helm-"));
    await mkdir(join(folder, "templates"));
    for (const [file, text] of Object.entries(chart)) await writeFile(join(folder, file), text);
    await writeFile(join(folder, "kubeconfig"), running.cluster.kubeConfig.exportConfig(), { mode: 0o600 });
  });
  afterAll(async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function helm(namespace: string, ...args: string[]): Promise<string> {
    const homes = ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"];
    const env = Object.fromEntries(homes.map((name) => [name, join(folder, name)]));
    const all = [...args, "--namespace", namespace, "--kubeconfig", join(folder, "kubeconfig")];
    return (await execa(helmPath, all, { env })).stdout;
  }

  // Client-side is how helm 3 applies.
  test.for([
    ["server", "true"],
    ["client", "false"],
  ] as const)(
    "adopts and repairs a release that helm has applied %s-side, which helm can still upgrade",
    { timeout: 600_000 },
    async ([, isServerSide]) => {
      const bench = await running.bench();
      const { namespace, client } = bench;
      const key = { namespace, name: "web" };
      const metadata = { namespace, name: "web" };
      const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata };
      const deployment: KubeObject = { apiVersion: "apps/v1", kind: "Deployment", metadata };
      const repair = async () => bench.repair(await helm(namespace, "get", "manifest", "cache"));

      await helm(namespace, "install", "cache", folder, `--server-side=${isServerSide}`);
      expect((await repair()).map(({ action }) => action)).toEqual(["adopted", "adopted"]);
      bench.requests();
      expect(await repair()).toEqual([]);
      expect(bench.writes()).toEqual([]);

      const containers = [
        { name: "web", image: "changed" },
        { name: "old", image: "changed" },
      ];
      const drifted = { spec: { replicas: 5, template: { spec: { containers } } } };
      await client.patch(deployment, rawPatch("strategic", drifted), { fieldManager: "kubectl-edit" });
      await client.delete(map);
      const repairs = await repair();
      expect(repairs.map(({ action, object }) => `${object.kind} ${action}`)).toEqual([
        "ConfigMap created",
        "Deployment patched",
      ]);

      await helm(namespace, "upgrade", "cache", folder, "--set", "image=nginx:2,old=false");
      expect((await client.get(configMaps, key)).data).toEqual({ kept: "nginx:2" });
      const { spec } = await client.get(deployments, key);
      expect(spec?.replicas).toBe(2);
      expect(spec?.template.spec?.containers.map(({ name, image }) => [name, image])).toEqual([
        ["web", "nginx:2"],
      ]);
      bench.requests();
      expect(await repair()).toEqual([]);
      expect(bench.writes()).toEqual([]);
    },
  );
});
