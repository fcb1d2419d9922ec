import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import type { PodLike } from "./check.ts";
import { evaluatePod } from "./evaluate.ts";

// testing/recorded compares the messages of each check with those of a real server. The tests here are about
// any Pod.

const flag = fc.option(fc.boolean(), { nil: undefined });
const profile = fc.option(fc.record({ type: fc.constantFrom("RuntimeDefault", "Localhost", "Unconfined") }), {
  nil: undefined,
});
const capability = fc.constantFrom("ALL", "NET_BIND_SERVICE", "CHOWN", "NET_ADMIN");
const securityContext = fc.record({
  privileged: flag,
  allowPrivilegeEscalation: flag,
  runAsNonRoot: flag,
  runAsUser: fc.option(fc.constantFrom(0, 1000), { nil: undefined }),
  procMount: fc.option(fc.constantFrom("Default", "Unmasked"), { nil: undefined }),
  seccompProfile: profile,
  appArmorProfile: profile,
  seLinuxOptions: fc.option(
    fc.record({
      type: fc.constantFrom("", "container_t", "container_engine_t", "spc_t"),
      user: fc.constantFrom("", "u"),
    }),
    { nil: undefined },
  ),
  capabilities: fc.option(fc.record({ add: fc.array(capability), drop: fc.array(capability) }), {
    nil: undefined,
  }),
});
const container = fc.record({
  name: fc.constantFrom("a", "b"),
  securityContext,
  ports: fc.array(fc.record({ hostPort: fc.constantFrom(0, 80) }), { maxLength: 1 }),
});
const volume = fc.constantFrom(
  { name: "v", emptyDir: {} },
  { name: "v", hostPath: { path: "/" } },
  { name: "v", nfs: {} },
);
const pod: fc.Arbitrary<PodLike> = fc.record({
  annotations: fc.constant({}),
  spec: fc.record({
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    initContainers: fc.array(container, { maxLength: 1 }),
    securityContext,
    volumes: fc.array(volume, { maxLength: 2 }),
    hostNetwork: flag,
    hostUsers: flag,
  }),
});
const minor = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(Number.POSITIVE_INFINITY));

test("allows at the baseline what is allowed at restricted, in every version", () => {
  const restricted = fc.record({
    allowPrivilegeEscalation: fc.constant(false),
    runAsNonRoot: fc.constant(true),
    seccompProfile: fc.constant<JsonObject>({ type: "RuntimeDefault" }),
    capabilities: fc.record({
      drop: fc.constant<string[]>(["ALL"]),
      add: fc.array(capability, { maxLength: 1 }),
    }),
    privileged: flag,
    procMount: fc.option(fc.constantFrom("Default", "Unmasked"), { nil: undefined }),
  });
  const nearlyRestricted: fc.Arbitrary<PodLike> = fc.tuple(pod, restricted).map(
    ([one, securityContext]): PodLike => ({
      ...one,
      spec: { ...one.spec, containers: [{ name: "a", securityContext }], initContainers: [] },
    }),
  );
  fc.assert(
    fc.property(fc.oneof(pod, nearlyRestricted), minor, (one, version) => {
      const restricted = evaluatePod({ level: "restricted", minor: version }, one);
      const baseline = evaluatePod({ level: "baseline", minor: version }, one);
      if (restricted.length === 0) expect(baseline).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("forbids nothing at privileged, and treats future versions as the latest", () => {
  fc.assert(
    fc.property(pod, minor, (one, version) => {
      expect(evaluatePod({ level: "privileged", minor: version }, one)).toEqual([]);
      const latest = evaluatePod({ level: "restricted", minor: Number.POSITIVE_INFINITY }, one);
      expect(evaluatePod({ level: "restricted", minor: 99 }, one)).toEqual(latest);
    }),
  );
});
