import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Deployment, KubeObject, Pod, Probe, Service } from "@operator-path/client";
import { parseManifest } from "@operator-path/helm-operator";
import { expect, test as run } from "vitest";

// These tests render the chart with helm, without a cluster. They are skipped where helm is missing.

const helm = process.env.HELM || "helm";
const test = run.skipIf(spawnSync(helm, ["version"]).status !== 0);

/** Returns the objects of the release `one`. */
function render(flags: string[] = [], values: object = {}): KubeObject[] {
  const args = ["template", "one", "helm-charts/memcached", "--values=-", ...flags];
  const manifest = execFileSync(helm, args, { encoding: "utf8", input: JSON.stringify(values) });
  return parseManifest(manifest).map(({ object }) => object);
}

function find<T extends KubeObject>(objects: KubeObject[], kind: string): T {
  return objects.find((object) => object.kind === kind) as T;
}

/** Returns the Deployment's container, with its probes. */
function containerOf(objects: KubeObject[]) {
  const [container] = find<Deployment>(objects, "Deployment").spec?.template.spec?.containers ?? [];
  const probes = [container?.livenessProbe, container?.readinessProbe];
  return { container, probes };
}

function expectTcp(probe: Probe | undefined): void {
  expect(Object.keys(probe ?? {})).toContain("tcpSocket");
  expect(Object.keys(probe ?? {})).not.toContain("httpGet");
  expect(["memcached", 11211]).toContain(probe?.tcpSocket?.port);
}

test("a release runs memcached behind a Service on its port", () => {
  const objects = render();
  const { container } = containerOf(objects);
  expect(container?.image).toBe("memcached:1.6.39-alpine");
  expect(container?.ports).toMatchObject([{ containerPort: 11211 }]);
  expect(find<Service>(objects, "Service").spec?.ports).toMatchObject([{ port: 11211 }]);
});

test("both probes connect to memcached's port", () => {
  const { probes } = containerOf(render());
  for (const probe of probes) expectTcp(probe);
});

test("helm test connects to the Service, whatever its name and port", () => {
  const objects = render(["--set=fullnameOverride=cache,service.port=11300"]);
  const [container] = find<Pod>(objects, "Pod").spec?.containers ?? [];
  const words = [...(container?.command ?? []), ...(container?.args ?? [])].join(" ").split(/[\s'"]+/);
  expect(container?.image).toMatch(/^busybox/);
  expect(words).toEqual(expect.arrayContaining(["nc", "-z"]));
  expect(words.join(" ")).toMatch(/ cache 11300\b/);
});

test("each Pod of the chart may run under the Pod Security standard restricted", () => {
  const objects = render();
  const pods = [find<Deployment>(objects, "Deployment").spec?.template.spec, find<Pod>(objects, "Pod").spec];
  for (const pod of pods) {
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 11211,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod?.containers.map(({ securityContext }) => securityContext)).toMatchObject([
      { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    ]);
  }
});

test("the sample asks for three replicas, in values that the chart can run", () => {
  const text = readFileSync("config/samples/cache_v1alpha1_memcached.yaml", "utf8");
  const [sample] = parseManifest(text);
  const { spec = {} } = (sample?.object ?? {}) as { spec?: object };
  const objects = render([], spec);
  const { container, probes } = containerOf(objects);
  expect(find<Deployment>(objects, "Deployment").spec?.replicas).toBe(3);
  expect(container?.image).toBe("memcached:1.6.39-alpine");
  expect(find<Service>(objects, "Service").spec?.ports).toMatchObject([{ port: 11211 }]);
  for (const probe of probes) expectTcp(probe);
});
