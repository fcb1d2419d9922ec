import type { Deployment, ReplicaSet } from "@operator-path/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { desiredReplicas } from "../pods.ts";
import {
  fenceposts,
  newReplicaSetAnnotations,
  observedReplicas,
  planRollingUpdate,
  planScaling,
  replicaSetsOf,
  revisionAnnotation,
  revisionHistoryAnnotation,
  type Scaling,
  sizeAnnotations,
  totalDesiredReplicas,
} from "./rollout.ts";

const sizes = (plan: Scaling[]) =>
  plan.map(({ replicaSet, replicas }) => `${replicaSet.metadata?.name} ${replicas}`);

test("the new ReplicaSet grows by the surge, then old Pods go as new ones become available", () => {
  const deployment = deploymentOf(4, { maxSurge: 1, maxUnavailable: 1 });
  const step = (oldSize: number, newSize: number, newAvailable: number) =>
    sizes(
      planRollingUpdate({
        deployment,
        oldReplicaSets: [replicaSetOf("old", oldSize)],
        newReplicaSet: replicaSetOf("new", newSize, { available: newAvailable }),
      }),
    );
  expect(step(4, 0, 0)).toEqual(["new 1"]);
  expect(step(4, 1, 0)).toEqual(["old 3"]);
  expect(step(3, 1, 0)).toEqual(["new 2"]);
  expect(step(3, 2, 0)).toEqual([]);
  expect(step(3, 2, 2)).toEqual(["old 1"]);
  expect(step(0, 4, 4)).toEqual([]);
});

test("unavailable old Pods go first, even if the new ones never become available", () => {
  // The Go controller's own example: 10 replicas, maxSurge 3, maxUnavailable 2. The new Pods crash, and the
  // user rolls back.
  const deployment = deploymentOf(10, { maxSurge: 3, maxUnavailable: 2 });
  const plan = planRollingUpdate({
    deployment,
    oldReplicaSets: [replicaSetOf("crashing", 5, { available: 0 })],
    newReplicaSet: replicaSetOf("good", 8, { available: 7 }),
  });
  expect(sizes(plan)).toEqual(["crashing 1"]);
});

test("scaling a Deployment down scales its new ReplicaSet down", () => {
  const rollout = { deployment: deploymentOf(2), oldReplicaSets: [], newReplicaSet: replicaSetOf("new", 5) };
  expect(sizes(planRollingUpdate(rollout))).toEqual(["new 2"]);
});

test("a rollout ends and stays within its limits, from any start and in any order of readiness", () => {
  const limit = fc.oneof(
    fc.nat(5),
    fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12 }),
      limit,
      limit,
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 3 }),
      (replicas, maxSurge, maxUnavailable, luck, generations) => {
        const deployment = deploymentOf(replicas, { maxSurge, maxUnavailable });
        const limits = fenceposts(deployment);
        const share = Math.floor(replicas / generations);
        let rollout = {
          deployment,
          oldReplicaSets: Array.from({ length: generations }, (_, age) =>
            replicaSetOf(`old-${age}`, age === 0 ? replicas - share * (generations - 1) : share, { age }),
          ),
          newReplicaSet: replicaSetOf("new", 0),
        };
        for (let round = 0; round < 200; round++) {
          const plan = new Map(planRollingUpdate(rollout).map((step) => [step.replicaSet, step.replicas]));
          // The ReplicaSet controller removes unavailable Pods first. Some of the new Pods become available.
          const react = (replicaSet: ReplicaSet) => {
            const size = plan.get(replicaSet) ?? desiredReplicas(replicaSet);
            const before = Math.min(size, replicaSet.status?.availableReplicas ?? 0);
            const comingUp = Math.ceil(((size - before) * (luck[round % luck.length] ?? 100)) / 100);
            const available = before + (round % 7 === 6 ? size - before : comingUp);
            return {
              ...replicaSet,
              spec: { ...(replicaSet.spec as NonNullable<ReplicaSet["spec"]>), replicas: size },
              status: { replicas: size, availableReplicas: available },
            };
          };
          rollout = {
            ...rollout,
            oldReplicaSets: rollout.oldReplicaSets.map(react),
            newReplicaSet: react(rollout.newReplicaSet),
          };
          const all = replicaSetsOf(rollout);
          expect(totalDesiredReplicas(all)).toBeLessThanOrEqual(replicas + limits.maxSurge);
          expect(observedReplicas(all, "availableReplicas")).toBeGreaterThanOrEqual(
            replicas - limits.maxUnavailable,
          );
          if (
            totalDesiredReplicas(rollout.oldReplicaSets) === 0 &&
            observedReplicas(all, "replicas") === replicas
          )
            break;
        }
        expect(desiredReplicas(rollout.newReplicaSet)).toBe(replicas);
        expect(totalDesiredReplicas(rollout.oldReplicaSets)).toBe(0);
      },
    ),
  );
});

const sizesByName = (plan: ReturnType<typeof planScaling>) =>
  Object.fromEntries(plan.map(({ replicaSet, replicas }) => [replicaSet.metadata?.name, replicas]));

test("a single active ReplicaSet takes the whole size", () => {
  const rollout = {
    deployment: deploymentOf(5),
    oldReplicaSets: [replicaSetOf("old", 0)],
    newReplicaSet: replicaSetOf("new", 2),
  };
  expect(sizesByName(planScaling(rollout))).toEqual({ new: 5 });
});

test("during a rollout the difference is shared in proportion: ten to fifteen (kubernetes.io's example)", () => {
  const before = deploymentOf(10, { maxSurge: 3, maxUnavailable: 2 });
  const rollout = {
    deployment: deploymentOf(15, { maxSurge: 3, maxUnavailable: 2 }),
    oldReplicaSets: [replicaSetOf("old", 8, { deployment: before, age: 1 })],
    newReplicaSet: replicaSetOf("new", 5, { available: 0, deployment: before }),
  };
  expect(sizesByName(planScaling(rollout))).toEqual({ old: 11, new: 7 });
});

test("old ReplicaSets are scaled to 0 once the new one is saturated", () => {
  const deployment = deploymentOf(3);
  const rollout = {
    deployment,
    oldReplicaSets: [replicaSetOf("adopted", 2)],
    newReplicaSet: replicaSetOf("new", 3, { deployment }),
  };
  expect(sizesByName(planScaling(rollout))).toEqual({ adopted: 0 });
});

test("from a full surge to another size, no size is negative and the sum is what the Deployment allows", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.nat(2),
      fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 2, maxLength: 4 }),
      (after, surge, shares) => {
        const before = shares.reduce((sum, size) => sum + size, 0) - surge;
        const was = deploymentOf(before, { maxSurge: surge, maxUnavailable: 1 });
        const [first = 1, ...others] = shares;
        const rollout = {
          deployment: deploymentOf(after, { maxSurge: surge, maxUnavailable: 1 }),
          oldReplicaSets: others.map((size, age) =>
            replicaSetOf(`old-${age}`, size, { deployment: was, age }),
          ),
          newReplicaSet: replicaSetOf("new", first, { deployment: was, available: 0 }),
        };
        const plan = planScaling(rollout);
        for (const { replicas } of plan) expect(replicas).toBeGreaterThanOrEqual(0);
        const planned = plan.map(({ replicaSet, replicas }) => ({
          ...replicaSet,
          spec: { ...replicaSetOf("x", 0).spec, replicas },
        })) as (typeof rollout.newReplicaSet)[];
        expect(totalDesiredReplicas(planned)).toBe(after === 0 ? 0 : after + surge);
      },
    ),
  );
});

// client-go's own table: pkg/controller/deployment/util, TestResolveFenceposts.
test.each([
  ["0%", "0%", 0, 0, 0],
  ["39%", "39%", 10, 4, 3],
  ["50%", "50%", 10, 5, 5],
  ["100%", "100%", 10, 10, 10],
  [1, "25%", 1, 1, 0],
  ["0%", "1%", 2, 0, 1],
  ["25%", "25%", 1, 1, 0],
  [0, 5, 3, 0, 3],
])(
  "surge %s, unavailable %s of %i replicas: %i above, %i below",
  (maxSurge, maxUnavailable, replicas, above, below) => {
    const deployment = deploymentOf(replicas, { maxSurge, maxUnavailable });
    expect(fenceposts(deployment)).toEqual({ maxSurge: above, maxUnavailable: below });
  },
);

test("Recreate has no limits to resolve", () => {
  expect(fenceposts(deploymentOf(3, { type: "Recreate" }))).toEqual({ maxSurge: 0, maxUnavailable: 0 });
});

const deployment = deploymentOf(1);

test("copies the Deployment's annotations except its own ones", () => {
  const annotations = {
    "kubernetes.io/change-cause": "because",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    [revisionAnnotation]: "7",
  };
  const annotated = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  expect(newReplicaSetAnnotations(annotated, 3)).toEqual({
    "kubernetes.io/change-cause": "because",
    [revisionAnnotation]: "3",
  });
});

test("a rollback gives the old ReplicaSet a new number, and keeps the old one in its history", () => {
  const annotations = { [revisionAnnotation]: "1" };
  const old = { ...replicaSetOf("old", 0), metadata: { name: "old", annotations } };
  const after = newReplicaSetAnnotations(deployment, 3, old);
  expect(after).toEqual({ [revisionAnnotation]: "3", [revisionHistoryAnnotation]: "1" });
  const again = newReplicaSetAnnotations(deployment, 5, {
    ...old,
    metadata: { name: "old", annotations: after },
  });
  expect(again).toEqual({ [revisionAnnotation]: "5", [revisionHistoryAnnotation]: "1,3" });
});

test("never lowers a revision number", () => {
  const old = {
    ...replicaSetOf("old", 0),
    metadata: { name: "old", annotations: { [revisionAnnotation]: "9" } },
  };
  expect(newReplicaSetAnnotations(deployment, 2, old)).toEqual({ [revisionAnnotation]: "9" });
});

/** For tests: builds a Deployment as an API server would return it. */
export function deploymentOf(
  replicas: number,
  options: {
    maxSurge?: number | string;
    maxUnavailable?: number | string;
    type?: "RollingUpdate" | "Recreate";
  } = {},
): Deployment {
  const { maxSurge = "25%", maxUnavailable = "25%", type = "RollingUpdate" } = options;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", uid: "deployment-uid", generation: 1 },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      strategy: type === "Recreate" ? { type } : { type, rollingUpdate: { maxSurge, maxUnavailable } },
      template: template("new"),
    },
  };
}

/** For tests: builds a ReplicaSet of a size with a number of available Pods. A higher age means older. */
export function replicaSetOf(
  name: string,
  replicas: number,
  options: { available?: number; age?: number; deployment?: Deployment } = {},
): ReplicaSet {
  const { available = replicas, age = 0, deployment } = options;
  return {
    metadata: {
      name,
      uid: `${name}-uid`,
      creationTimestamp: new Date(Date.UTC(2026, 0, 1) - age * 1000).toISOString(),
      ...(deployment && { annotations: sizeAnnotations(deployment) }),
    },
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template(name) },
    status: { replicas, readyReplicas: available, availableReplicas: available },
  };
}

function template(revision: string) {
  return {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: `web:${revision}` }] },
  };
}
