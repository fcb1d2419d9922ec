import { configMaps, type Deployment, deployments, secrets, services } from "@operator-path/client";
import { mergeFrom, rawPatch } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DriftBench, providerOfTests, startDriftCluster } from "./testing/drift-bench.ts";

const web = `
---
# Source: web/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
  annotations:
spec:
  replicas: 2
  strategy:
    type: Recreate
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      serviceAccountName: ""
      nodeSelector: {}
      tolerations: []
      securityContext: {}
      containers:
        - name: web
          image: "nginx:1.29"
          imagePullPolicy: IfNotPresent
          env:
            - { name: LEVEL, value: info }
            - { name: EMPTY, value: "" }
          ports:
            - { name: dns, containerPort: 53, protocol: UDP }
            - { name: http, containerPort: 80 }
          resources:
            limits: { cpu: 1000m, memory: 1024Mi }
            requests: { cpu: 0.5 }
          volumeMounts:
            - { name: scratch, mountPath: /tmp }
      volumes:
        - name: scratch
          emptyDir: {}
---
# Source: web/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIP: ""
  ports:
    - { name: dns-udp, port: 53, targetPort: 53, protocol: UDP }
    - { name: dns, port: 53, targetPort: 53 }
  selector: { app: web }
`;

describe.each([await providerOfTests()])("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider);
  });
  afterAll(async () => running?.stop());

  async function installed(manifest = web): Promise<DriftBench> {
    const bench = await running.bench();
    const repairs = await bench.repair(manifest);
    expect(repairs.map(({ action }) => action)).not.toContain("failed");
    bench.requests();
    return bench;
  }

  const change = async ({ client, namespace }: DriftBench, type: "merge" | "strategic", body: object) => {
    const metadata = { namespace, name: "web" };
    const object: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata };
    return client.patch(object, rawPatch(type, body), { fieldManager: "kubectl-edit" });
  };

  describe("a release's objects", () => {
    test("are created when missing, with helm's marks and their owner", async () => {
      const bench = await running.bench();
      const repairs = await bench.repair(web);
      expect(repairs).toMatchObject([
        { action: "created", object: { kind: "Deployment" }, template: "web/templates/deployment.yaml" },
        { action: "created", object: { kind: "Service", namespace: bench.namespace, name: "web" } },
      ]);
      const { metadata } = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
      expect(metadata).toMatchObject({
        labels: { "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/name": "web" },
        annotations: {
          "meta.helm.sh/release-name": "cache",
          "meta.helm.sh/release-namespace": bench.namespace,
        },
        ownerReferences: [
          { kind: "Memcached", name: "cache", uid: bench.owner.metadata?.uid, controller: true },
        ],
      });
    });

    test("cost one read each while they match, even after a restart", async () => {
      const bench = await installed();
      expect(await bench.repair(web)).toEqual([]);
      expect(bench.requests()).toEqual([
        `GET /apis/apps/v1/namespaces/${bench.namespace}/deployments/web`,
        `GET /api/v1/namespaces/${bench.namespace}/services/web`,
      ]);
      expect(await bench.repair(web, undefined, bench.restarted())).toEqual([]);
      expect(bench.writes()).toEqual([]);
    });

    test("are created again after their deletion", async () => {
      const bench = await installed();
      const key = { namespace: bench.namespace, name: "web" };
      await bench.client.delete(await bench.client.get(services, key));
      expect(await bench.repair(web)).toMatchObject([{ action: "created", object: { kind: "Service" } }]);
      await bench.client.get(services, key);
    });

    test("get back fields that were changed, removed, or replaced by an alternative", async () => {
      const bench = await installed();
      const spec = {
        containers: [
          { name: "web", image: "busybox", env: [{ name: "LEVEL", $patch: "delete" }], resources: null },
        ],
        volumes: [{ name: "scratch", emptyDir: null, configMap: { name: "other" } }],
      };
      await change(bench, "strategic", { spec: { replicas: 5, template: { spec } } });
      await change(bench, "merge", { spec: { strategy: { type: "RollingUpdate" } } });
      const [repair, ...rest] = await bench.repair(web);
      expect(rest).toEqual([]);
      expect(repair).toMatchObject({ action: "patched", object: { kind: "Deployment" } });
      expect([...(repair?.fields ?? [])].sort()).toEqual([
        "spec.replicas",
        "spec.strategy.type",
        'spec.template.spec.containers[name="web"].env[name="LEVEL"]',
        'spec.template.spec.containers[name="web"].image',
        'spec.template.spec.containers[name="web"].resources.limits',
        'spec.template.spec.containers[name="web"].resources.requests',
        'spec.template.spec.volumes[name="scratch"].emptyDir',
      ]);
      const { spec: now } = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
      expect(now).toMatchObject({ replicas: 2, strategy: { type: "Recreate" } });
      expect(now?.template.spec).toMatchObject({
        containers: [{ image: "nginx:1.29", resources: { limits: { cpu: "1", memory: "1Gi" } } }],
        volumes: [{ name: "scratch", emptyDir: {} }],
      });
      bench.requests();
      expect(await bench.repair(web)).toEqual([]);
      expect(bench.writes()).toEqual([]);
    });

    test("get back their alternative where the server rejects both together", async () => {
      const manifest = web
        .replace("value: info", "valueFrom: { fieldRef: { fieldPath: metadata.name } }")
        .replace(
          "          resources:",
          "          livenessProbe: { httpGet: { port: 80 } }\n          resources:",
        );
      const bench = await installed(manifest);
      const changed = {
        name: "web",
        livenessProbe: { httpGet: null, tcpSocket: { port: 81 } },
        env: [
          { name: "LEVEL", value: "debug", valueFrom: null },
          { name: "PROXY", value: "1" },
        ],
      };
      await change(bench, "strategic", { spec: { template: { spec: { containers: [changed] } } } });
      expect(await bench.repair(manifest)).toMatchObject([
        {
          action: "patched",
          fields: [
            'spec.template.spec.containers[name="web"].env[name="LEVEL"].valueFrom',
            'spec.template.spec.containers[name="web"].livenessProbe.httpGet',
          ],
        },
      ]);
      const now = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
      const [container] = now.spec?.template.spec?.containers ?? [];
      expect(container?.livenessProbe).not.toHaveProperty("tcpSocket");
      expect(container?.env?.find(({ name }) => name === "LEVEL")).not.toHaveProperty("value");
      expect(container?.env).toContainEqual({ name: "PROXY", value: "1" });
      expect(await bench.repair(manifest)).toEqual([]);
    });

    test("keep what other writers have added", async () => {
      const bench = await installed();
      const proxied = { name: "web", env: [{ name: "PROXY", value: "1" }] };
      const containers = [{ name: "proxy", image: "envoy" }, proxied];
      const metadata = { labels: { team: "a" }, annotations: { "example.com/x": "1" } };
      const order = { "$setElementOrder/containers": [{ name: "proxy" }, { name: "web" }] };
      await change(bench, "strategic", { metadata, spec: { template: { spec: { containers, ...order } } } });
      expect(await bench.repair(web)).toEqual([]);
      expect(bench.writes()).toEqual([]);
      await change(bench, "merge", { spec: { replicas: 7 } });
      expect(await bench.repair(web)).toMatchObject([{ action: "patched", fields: ["spec.replicas"] }]);
      const now = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
      expect(now.metadata).toMatchObject(metadata);
      expect(now.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(["proxy", "web"]);
    });

    test("get back a Service port that shares its number with another", async () => {
      const bench = await installed();
      const key = { namespace: bench.namespace, name: "web" };
      const service = await bench.client.get(services, key);
      const ports = service.spec?.ports?.filter(({ protocol }) => protocol === "UDP");
      await bench.client.patch({ ...service, spec: { ...service.spec, ports } } as never, mergeFrom(service));
      expect(await bench.repair(web)).toMatchObject([
        { action: "patched", fields: ['spec.ports[port=53,protocol="TCP"]'] },
      ]);
      expect((await bench.client.get(services, key)).spec?.ports).toHaveLength(2);
    });

    test("are left alone while they are being deleted", async () => {
      const bench = await installed();
      await change(bench, "merge", { metadata: { finalizers: ["example.com/wait"] } });
      const object = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
      await bench.client.delete(object);
      await change(bench, "merge", { spec: { replicas: 9 } });
      expect(await bench.repair(web)).toEqual([]);
      expect(bench.writes()).toEqual([]);
    });

    test("lose what only the previous manifest had", async () => {
      const before = `
kind: ConfigMap
apiVersion: v1
metadata: { name: settings, labels: { old: "1" } }
data: { a: "1", b: "2" }`;
      const after = before.replace(', b: "2"', "").replace(', labels: { old: "1" }', "");
      const bench = await installed(before);
      const key = { namespace: bench.namespace, name: "settings" };
      const stored = await bench.client.get(configMaps, key);
      // Another manager owns the fields now, so applying the new manifest alone would leave them.
      const changed = { ...stored, data: { a: "1", b: "3", c: "4" } };
      await bench.client.patch(changed, mergeFrom(stored), { fieldManager: "other" });
      expect(await bench.repair(after, before)).toMatchObject([
        { action: "patched", fields: ["metadata.labels.old", "data.b"] },
      ]);
      expect((await bench.client.get(configMaps, key)).data).toEqual({ a: "1", c: "4" });
    });
  });

  describe("a manifest", () => {
    test("may have a Secret with stringData and multi-line base64", async () => {
      const manifest = `
apiVersion: v1
kind: Secret
metadata: { name: login }
stringData: { password: hunter2 }
data:
  user: |
    YWRt
    aW4=
`;
      const bench = await installed(manifest);
      expect(await bench.repair(manifest, undefined, bench.restarted())).toEqual([]);
      expect(bench.writes()).toEqual([]);
      const key = { namespace: bench.namespace, name: "login" };
      const secret = await bench.client.get(secrets, key);
      const drifted = { ...secret, data: { ...secret.data, password: "bm8=" } };
      await bench.client.patch(drifted, mergeFrom(secret), { fieldManager: "other" });
      expect(await bench.repair(manifest)).toMatchObject([{ action: "patched", fields: ["data.password"] }]);
      const { data = {} } = await bench.client.get(secrets, key);
      expect(data.password).toBe("aHVudGVyMg==");
      expect(Buffer.from(data.user ?? "", "base64").toString()).toBe("admin");
    });

    test("may have hooks, which are skipped, and lists, which are expanded", async () => {
      const map = (name: string, more = "") => `
    - apiVersion: v1
      kind: ConfigMap
      metadata: { name: ${name}${more} }`;
      const manifest = `
apiVersion: v1
kind: List
items:${map("one")}${map("two")}${map("hook", ', annotations: { "helm.sh/hook": pre-install }')}`;
      const bench = await installed(manifest);
      const inNamespace = { namespace: bench.namespace };
      const all = await bench.client.list(configMaps, inNamespace);
      const names = all.map(({ metadata }) => metadata?.name ?? "");
      expect(names.filter((name) => ["one", "two", "hook"].includes(name)).sort()).toEqual(["one", "two"]);
    });

    test("may have null fields, which are ignored", async () => {
      const manifest = `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: null }, data: null }`;
      const bench = await installed(manifest);
      expect(await bench.repair(manifest, undefined, bench.restarted())).toEqual([]);
      expect(bench.writes()).toEqual([]);
    });

    test("may have an object with a generated name, which is left to helm", async () => {
      const bench = await running.bench();
      const object = "{ apiVersion: v1, kind: ConfigMap, metadata: { generateName: a- } }";
      expect(await bench.repair(object)).toEqual([]);
    });
  });
});
