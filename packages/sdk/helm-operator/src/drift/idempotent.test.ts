import { configMaps, type Deployment, deployments } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriftBench, startDriftCluster } from "./testing/drift-bench.ts";

let running: Awaited<ReturnType<typeof startDriftCluster>>;
beforeAll(async () => {
  running = await startDriftCluster();
});
afterAll(async () => running?.stop());

type Spec = NonNullable<Deployment["spec"]>;

const some = <T>(all: readonly string[], make: (value: string) => fc.Arbitrary<T>, minLength = 0) =>
  fc.shuffledSubarray([...all], { minLength }).chain((chosen) => fc.tuple(...chosen.map(make)));

const container = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      image: fc.constantFrom("nginx", "busybox"),
      args: fc.array(fc.constantFrom("-v", "-q"), { maxLength: 2 }),
      tty: fc.boolean(),
      env: some(["A", "B", "C"], (env) => fc.constantFrom("", "1").map((value) => ({ name: env, value }))),
      ports: some(["80", "81"], (port) => fc.constant({ containerPort: Number(port) })),
      resources: fc.record(
        { limits: fc.constantFrom<Record<string, string>>({ cpu: "1" }, { cpu: "1000m", memory: "1024Mi" }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ["name", "image"] },
  );

/** The spec of a chart's Deployment, or of the changed one. */
const spec: fc.Arbitrary<Spec> = fc
  .record({
    replicas: fc.integer({ min: 0, max: 3 }),
    paused: fc.boolean(),
    strategy: fc.constantFrom(
      { type: "Recreate" },
      { type: "RollingUpdate", rollingUpdate: { maxSurge: "30%" } },
    ),
    containers: some(["one", "two", "three"], container, 1),
    volume: fc.constantFrom({ emptyDir: {} }, { configMap: { name: "m" } }),
    priorityClassName: fc.constant(""),
    tolerations: fc.array(fc.constantFrom({ key: "a", operator: "Exists" }), { maxLength: 1 }),
  })
  .map(({ replicas, paused, strategy, volume, ...pod }) => ({
    ...{ replicas, paused, strategy, selector: { matchLabels: { app: "web" } } },
    template: { metadata: { labels: { app: "web" } }, spec: { ...pod, volumes: [{ name: "v", ...volume }] } },
  }));

const data = fc.dictionary(fc.constantFrom("a", "b", "c.d"), fc.constantFrom("", "1", "2"));
const labels = fc.dictionary(fc.constantFrom("team", "example.com/x"), fc.constantFrom("", "y"));

async function drift({ client, namespace }: DriftBench, spec: Spec, data: object, labels: object) {
  const live = await client.get(deployments, { namespace, name: "web" });
  const metadata = { ...live.metadata, labels: { ...labels } };
  await client.patch({ ...live, metadata, spec }, mergeFrom(live), { fieldManager: "editor" });
  const map = await client.get(configMaps, { namespace, name: "m" });
  await client.patch({ ...map, data: { ...data } }, mergeFrom(map), { fieldManager: "editor" });
}

test("a repair restores all that the manifest says, whatever was changed, and a second repair writes nothing", {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      spec,
      spec,
      data,
      data,
      labels,
      labels,
      async (wanted, changed, mine, theirs, ...both) => {
        const bench = await running.bench();
        const objects = [
          {
            ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", labels: both[0] } },
            spec: wanted,
          },
          { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" }, data: mine },
        ];
        const manifest = objects.map((object) => `---\n${JSON.stringify(object)}\n`).join("");
        const failures = (await bench.repair(manifest)).filter(({ action }) => action === "failed");
        expect(failures).toEqual([]);
        await drift(bench, changed, theirs, both[1]);
        expect((await bench.repair(manifest)).filter(({ action }) => action === "failed")).toEqual([]);

        bench.requests();
        expect(await bench.repair(manifest)).toEqual([]);
        expect(bench.writes()).toEqual([]);

        const key = { namespace: bench.namespace };
        const { spec: live, metadata } = await bench.client.get(deployments, { ...key, name: "web" });
        expect(metadata?.labels).toMatchObject(both[0]);
        expect((await bench.client.get(configMaps, { ...key, name: "m" })).data ?? {}).toMatchObject(mine);
        expect(live).toMatchObject({ replicas: wanted.replicas, strategy: wanted.strategy });
        expect(live?.paused ?? false).toBe(wanted.paused);
        const pod = live?.template.spec;
        expect(pod?.tolerations ?? []).toEqual(wanted.template.spec?.tolerations);
        expect(pod?.volumes).toMatchObject(wanted.template.spec?.volumes ?? []);
        for (const { resources, env, ports, tty, args, ...rest } of wanted.template.spec?.containers ?? []) {
          const found = pod?.containers.find(({ name }) => name === rest.name);
          expect(found).toMatchObject(rest);
          expect(found?.args ?? []).toEqual(args ?? found?.args ?? []);
          expect(found?.tty ?? false).toBe(tty ?? found?.tty ?? false);
          for (const { name, value } of env ?? []) {
            expect(found?.env?.find((each) => each.name === name)?.value ?? "").toBe(value);
          }
          for (const port of ports ?? []) expect(found?.ports).toContainEqual({ ...port, protocol: "TCP" });
          if (resources?.limits) expect(found?.resources?.limits?.cpu).toBe("1");
        }
      },
    ),
    { numRuns: 30 },
  );
});
