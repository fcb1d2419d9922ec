// Charts that were not made for an operator, from install to uninstall.
import { createCipheriv } from "node:crypto";
import { join } from "node:path";
import {
  configMaps,
  customResourceDefinitions,
  defineResource,
  horizontalPodAutoscalers,
  ingresses,
  type KubeObject,
  persistentVolumeClaims,
  pods,
  type Resource,
  secrets,
  services,
} from "@operator-path/client";
import { execa } from "execa";
import { expect, test } from "vitest";
import { loadChart } from "../chart/load-chart.ts";
import {
  conditionsOf,
  type HelmBench,
  longTimeout,
  messageOf,
  namespace,
  patiently,
  startHelmBench,
  webDefinition,
} from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";
import { watchRevisions } from "./testing/watch-revisions.ts";

const maxReleaseHistory = 3;

const apiOf = <T extends KubeObject>(bench: HelmBench, resource: Resource<T>) =>
  bench.cluster.client.resource(resource).namespace(namespace);

async function fine(bench: HelmBench): Promise<void> {
  await patiently(async () => {
    expect(conditionsOf(await bench.get("shop"))).toEqual(
      expect.arrayContaining(["Deployed=True", "Irreconcilable=False", "ReleaseFailed=False"]),
    );
  });
}

/** Makes an upgrade that the server rejects, and repairs the object. */
async function failing(bench: HelmBench, bad: Record<string, unknown>, good: Record<string, unknown>) {
  await bench.change("shop", bad);
  await patiently(async () => expect((await bench.events("shop")).join("\n")).toContain("RolledBack"));
  await patiently(async () =>
    expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain(
      "rolled back, and not tried again",
    ),
  );
  expect((await bench.history("shop"))[0]).toMatchObject({ status: "deployed" });
  await bench.change("shop", good);
  await fine(bench);
}

async function uninstalled(bench: HelmBench): Promise<void> {
  await bench.remove("shop");
  await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
  expect(await bench.history("shop")).toEqual([]);
}

const exists = async (bench: HelmBench, resource: Resource, name: string) =>
  apiOf(bench, resource)
    .get(name)
    .then(
      () => true,
      () => false,
    );

test(
  "a chart from `helm create`, with an ingress, autoscaling and its test",
  async () => {
    const bench = await startHelmBench();
    const folder = await writeChart({});
    await execa(bench.helmPath, ["create", "web"], { cwd: folder, env: { HOME: folder }, extendEnv: false });
    const { processes } = await bench.operator({
      chart: await loadChart(join(folder, "web")),
      maxReleaseHistory,
    });
    const release = watchRevisions(bench, "shop");
    const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 5 };
    await bench.create("shop", { autoscaling, ingress: { enabled: true } });
    await fine(bench);
    const all = [services, ingresses, horizontalPodAutoscalers] as const;
    for (const resource of all) {
      await patiently(async () =>
        expect(await apiOf<KubeObject>(bench, resource).get("shop-web")).toMatchObject({
          metadata: { ownerReferences: [{ kind: "Web", name: "shop" }] },
        }),
      );
    }

    await bench.change("shop", { autoscaling: { maxReplicas: 7 } });
    const autoscalers = apiOf(bench, horizontalPodAutoscalers);
    const most = async () => (await autoscalers.get("shop-web")).spec?.maxReplicas;
    await patiently(async () => expect(await most()).toBe(7));
    await fine(bench);

    const before = processes.length;
    await autoscalers.patch("shop-web", { spec: { maxReplicas: 70 } }, { type: "merge" });
    await patiently(async () => expect(await most()).toBe(7));
    const api = apiOf(bench, ingresses);
    await api.patch("shop-web", { spec: { rules: [{ host: "evil.example.com" }] } }, { type: "merge" });
    await patiently(async () =>
      expect((await api.get("shop-web")).spec?.rules).toMatchObject([{ host: "chart-example.local" }]),
    );
    await api.delete("shop-web");
    await patiently(async () => expect(await exists(bench, ingresses, "shop-web")).toBe(true));
    // The autoscaler sets this field: the chart leaves it out.
    await bench.scale("shop-web", 4);
    await apiOf(bench, services).delete("shop-web");
    await patiently(async () => expect(await exists(bench, services, "shop-web")).toBe(true));
    expect((await bench.deployment("shop-web")).spec?.replicas).toBe(4);
    // Only `helm test` runs the test.
    expect((await apiOf(bench, pods).list()).items.map(({ metadata }) => metadata?.name)).not.toContain(
      "shop-web-test-connection",
    );
    expect(processes.length).toBe(before);

    await failing(bench, { service: { port: 70_000 } }, { service: { port: 8080 } });
    expect((await apiOf(bench, services).get("shop-web")).spec?.ports).toMatchObject([{ port: 8080 }]);
    expect((await bench.deployment("shop-web")).spec?.replicas).toBe(4);
    await bench.change("shop", { replicaCount: 3 });
    await fine(bench);

    await uninstalled(bench);
    for (const resource of all) expect(await exists(bench, resource, "shop-web")).toBe(false);
    await patiently(() => expect(release.now()).toBeUndefined());
    expect([release.mostDeployed(), release.mostKept()]).toEqual([1, maxReleaseHistory]);
  },
  longTimeout,
);

const cakes = defineResource<KubeObject & { spec?: { layers?: number } }>({
  ...{ group: "bakery.example.com", version: "v1", kind: "Cake", plural: "cakes", namespaced: true },
});
const definition = JSON.stringify(webDefinition)
  .replaceAll("example.com", "bakery.example.com")
  .replaceAll("webs", "cakes")
  .replaceAll('"web"', '"cake"')
  .replaceAll("Web", "Cake");

const hook = (event: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-${event}
  annotations:
    helm.sh/hook: ${event}
data:
  revision: {{ .Release.Revision | quote }}
`;

const bakery = {
  ...webChart,
  "crds/cakes.yaml": definition,
  "templates/cake.yaml":
    "apiVersion: bakery.example.com/v1\nkind: Cake\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  layers: {{ .Values.replicas }}\n",
  // Keeps an existing value, as charts do with passwords.
  "templates/secret.yaml": `{{- $old := lookup "v1" "Secret" .Release.Namespace (printf "%s-password" .Release.Name) }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-password
data:
  password: {{ if $old }}{{ $old.data.password }}{{ else }}{{ randAlphaNum 16 | b64enc }}{{ end }}
`,
  "templates/data.yaml": `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Release.Name }}
  labels:
    tier: data
  annotations:
    helm.sh/resource-policy: keep
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
`,
  ...Object.fromEntries(
    ["pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-rollback", "pre-delete"].map(
      (event) => [`templates/${event}.yaml`, hook(event)],
    ),
  ),
};

test(
  "a chart with a CRD, hooks, a password that it looks up, and data that helm keeps",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator({ files: bakery, maxReleaseHistory });
    const release = watchRevisions(bench, "shop");
    const maps = apiOf(bench, configMaps);
    const ran = async (event: string) => (await maps.get(`shop-${event}`)).data?.revision;
    const password = async () => (await apiOf(bench, secrets).get("shop-password")).data?.password;
    await bench.create("shop", { replicas: 2 });
    await fine(bench);
    const first = await password();
    expect([await ran("pre-install"), await ran("post-install")]).toEqual(["1", "1"]);

    await bench.change("shop", { replicas: 3 });
    const layers = async () => (await apiOf(bench, cakes).get("shop")).spec?.layers;
    await patiently(async () => expect(await layers()).toBe(3));
    await patiently(async () => expect(await ran("post-upgrade")).toBe("2"));
    await fine(bench);

    const before = processes.length;
    await maps.delete("shop-pre-install");
    await apiOf(bench, cakes).patch("shop", { spec: { layers: 9 } }, { type: "merge" });
    await patiently(async () => expect(await layers()).toBe(3));
    await apiOf(bench, cakes).delete("shop");
    await patiently(async () => expect(await layers()).toBe(3));
    const claims = apiOf(bench, persistentVolumeClaims);
    await claims.patch("shop", { metadata: { labels: { tier: "scratch" } } }, { type: "merge" });
    await patiently(async () => expect((await claims.get("shop")).metadata?.labels?.tier).toBe("data"));
    // A hook is not one of the release's objects.
    expect(await exists(bench, configMaps, "shop-pre-install")).toBe(false);
    expect(processes.length).toBe(before);

    await failing(bench, { broken: true }, { broken: false });
    // The hooks of the revision that it goes back to.
    expect(await ran("pre-rollback")).toBe("2");
    expect(await password()).toBe(first);
    await bench.change("shop", { replicas: 4 });
    await patiently(async () => expect(await layers()).toBe(4));
    await fine(bench);

    const { uid } = (await claims.get("shop")).metadata ?? {};
    await uninstalled(bench);
    expect(await ran("pre-delete")).toBeDefined();
    const kept = (await claims.get("shop")).metadata;
    expect([kept?.uid, kept?.deletionTimestamp, kept?.ownerReferences]).toEqual([uid, undefined, undefined]);
    expect(await exists(bench, secrets, "shop-password")).toBe(false);
    expect(await exists(bench, cakes, "shop")).toBe(false);
    // helm never deletes what is in crds/: all objects of the kind would be deleted with it.
    await bench.cluster.client.resource(customResourceDefinitions).get("cakes.bakery.example.com");
    expect([release.mostDeployed(), release.mostKept()]).toEqual([1, maxReleaseHistory]);
  },
  longTimeout,
);

/** A chart of 1.5 MB. The given number of bytes does not compress, and is the same each time. */
function largeChart(incompressible: number): Record<string, string> {
  const cipher = createCipheriv("aes-256-ctr", Buffer.alloc(32), Buffer.alloc(16));
  const noise = cipher.update(Buffer.alloc(incompressible)).toString("base64");
  const lines = Array.from({ length: 40_000 }, (_, line) => `# ${line}: nothing to see here, go on`);
  return {
    ...webChart,
    "files/noise.txt": noise,
    "files/words.txt": lines.join("\n").slice(0, 1_500_000 - noise.length),
  };
}

test(
  "installs a chart of 1.5 MB whose release fits a Secret, and writes nothing of one that does not fit",
  async () => {
    const bench = await startHelmBench();
    const first = await bench.operator({ files: largeChart(400_000), maxReleaseHistory });
    const release = watchRevisions(bench, "shop");
    await bench.create("shop", { replicas: 2 });
    await fine(bench);
    await bench.change("shop", { replicas: 3 });
    const replicas = async () => (await bench.deployment("shop")).spec?.replicas;
    await patiently(async () => expect(await replicas()).toBe(3));
    await fine(bench);
    await bench.scale("shop", 9);
    await patiently(async () => expect(await replicas()).toBe(3));
    await failing(bench, { broken: true }, { broken: false });
    await first.stop();

    const history = await bench.history("shop");
    const second = await bench.operator({ files: largeChart(900_000), maxReleaseHistory });
    await bench.create("other");
    for (const name of ["shop", "other"]) {
      await patiently(async () =>
        expect(messageOf(await bench.get(name), "Irreconcilable")).toContain(
          "but a Secret holds at most 1024 KiB",
        ),
      );
    }
    expect(new Set(second.processes)).toEqual(new Set(["version", "dry run"]));
    // The finalizer and the status.
    expect(new Set(second.writes())).toEqual(
      new Set(["patch webs other", "patch webs/status other", "patch webs/status shop"]),
    );
    expect(await bench.history("shop")).toEqual(history);
    expect(await bench.history("other")).toEqual([]);
    expect(await replicas()).toBe(3);
    for (const name of ["other", "shop"]) {
      await bench.remove(name);
      await patiently(() => expect(bench.get(name)).rejects.toThrow("not found"));
    }
    expect(await bench.history("shop")).toEqual([]);
    expect(release.mostDeployed()).toBe(1);
    expect(release.mostKept()).toBeLessThanOrEqual(maxReleaseHistory);
  },
  longTimeout,
);
