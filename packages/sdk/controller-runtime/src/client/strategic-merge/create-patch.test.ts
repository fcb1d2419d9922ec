import { startApiServer } from "@operator-path/apiserver";
import {
  type Container,
  createClient,
  type Deployment,
  type KubeObject,
  type Service,
  services,
  type Volume,
} from "@operator-path/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createObjectClient } from "../create-client.ts";
import { strategicMergeFrom } from "../patch.ts";
import { createStrategicMergePatch } from "./create-patch.ts";

let server: Awaited<ReturnType<typeof startApiServer>>;
let connection: ReturnType<typeof createClient>;
beforeAll(async () => {
  server = await startApiServer();
  connection = createClient(server.kubeConfig());
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A few of these, each at most once, in any order. */
const some = <T>(
  values: string[],
  make: (value: string) => fc.Arbitrary<T>,
  minLength = 0,
): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray(values, { minLength }).chain((chosen) => fc.tuple(...chosen.map(make)));

const container = (name: string): fc.Arbitrary<Container> =>
  fc.record({
    name: fc.constant(name),
    image: fc.constantFrom("nginx", "busybox"),
    args: fc.array(fc.constantFrom("-v", "-q"), { minLength: 1, maxLength: 3 }),
    env: some(names("E", 3), (env) => fc.constantFrom("1", "2").map((value) => ({ name: env, value })), 1),
    ports: some(
      ["80", "81", "82"],
      (port) => fc.constant({ containerPort: Number(port), protocol: "TCP" }),
      1,
    ),
    volumeMounts: some(
      ["/a", "/b"],
      (mountPath) => fc.constantFrom("v0", "v1").map((volume) => ({ mountPath, name: volume })),
      1,
    ),
  });

const deployment: fc.Arbitrary<Deployment> = fc
  .record({
    finalizers: fc.shuffledSubarray(names("example.com/f", 3), { minLength: 1 }),
    replicas: fc.integer({ min: 0, max: 3 }),
    containers: some(names("c", 3), container, 1),
    tolerations: fc.array(
      fc.constantFrom({ key: "a", operator: "Exists" }, { key: "b", operator: "Exists" }),
      { minLength: 1, maxLength: 2 },
    ),
    volumes: fc.constantFrom<Partial<Volume>>(
      { emptyDir: {} },
      { configMap: { name: "m", defaultMode: 420, items: [{ key: "k", path: "p" }] } },
    ),
  })
  .map(({ finalizers, replicas, containers, tolerations, volumes }) => ({
    ...{
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "default", name: "web", finalizers },
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers,
          tolerations,
          volumes: [
            { name: "v0", ...volumes },
            { name: "v1", emptyDir: {} },
          ],
        },
      },
    },
  }));

/** The fields that the test sets, without the server's defaults. */
function view({ metadata, spec }: Deployment) {
  const pod = spec?.template.spec;
  return {
    finalizers: metadata?.finalizers,
    replicas: spec?.replicas,
    tolerations: pod?.tolerations,
    volumes: pod?.volumes,
    containers: pod?.containers.map(({ name, image, args, env, ports, volumeMounts }) => ({
      ...{ name, image, args, env, ports, volumeMounts },
    })),
  };
}

test("turns one Deployment into the other on the API server", async () => {
  const client = createObjectClient(connection);
  await fc.assert(
    fc.asyncProperty(deployment, deployment, async (before, after) => {
      const created = await client.create({
        ...before,
        metadata: { ...before.metadata, name: "", generateName: "d-" },
      });
      const wanted: Deployment = {
        ...created,
        metadata: { ...created.metadata, finalizers: after.metadata?.finalizers ?? [] },
        spec: after.spec as NonNullable<Deployment["spec"]>,
      };
      const patched = await client.patch(wanted, strategicMergeFrom(created));
      expect(view(patched)).toEqual(view(after));
    }),
    { numRuns: 40 },
  );
});

test("keeps list items of other writers", async () => {
  const client = createObjectClient(connection);
  const service: Service = {
    ...{ apiVersion: "v1", kind: "Service", metadata: { namespace: "default", name: "web" } },
    spec: { ports: [{ name: "a", port: 80, targetPort: 80 }], selector: { app: "web" } },
  };
  const original = await client.create(service);
  const withPort = (port: number) => ({
    ...original,
    spec: {
      ...original.spec,
      ports: [...(original.spec?.ports ?? []), { name: `p${port}`, port, targetPort: port }],
    },
  });
  await client.patch(withPort(81), strategicMergeFrom(original));
  await client.patch(withPort(82), strategicMergeFrom(original));
  const { spec } = await client.get(services, { namespace: "default", name: "web" });
  expect(spec?.ports?.map(({ port }) => port).sort()).toEqual([80, 81, 82]);
  const locked = client.patch(withPort(83), strategicMergeFrom(original, { optimisticLock: true }));
  await expect(locked).rejects.toThrow("the object has been modified");
});

test("names lists that it cannot merge, and the solution", () => {
  const machine = (items: object[]): KubeObject =>
    ({ apiVersion: "v1", kind: "Machine", spec: { items } }) as KubeObject;
  expect(() => createStrategicMergePatch(machine([{ a: 1 }]), machine([{ a: 2 }]))).toThrow(
    "there is no known rule for how the server merges the list spec.items of a Machine: use mergeFrom(original, { optimisticLock: true }), or client.apply",
  );
  const dns = (...protocols: string[]): KubeObject =>
    ({
      kind: "Service",
      spec: { ports: protocols.map((protocol) => ({ port: 53, protocol })) },
    }) as KubeObject;
  expect(() => createStrategicMergePatch(dns("TCP", "UDP"), dns("TCP"))).toThrow(
    "the items of spec.ports need distinct values of port (53)",
  );
  expect(createStrategicMergePatch(dns("TCP"), dns("TCP"))).toEqual({});
});
