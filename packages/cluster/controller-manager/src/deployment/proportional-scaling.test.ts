import fc from "fast-check";
import { expect, test } from "vitest";
import { planScaling } from "./proportional-scaling.ts";
import { totalDesiredReplicas } from "./rollout.ts";
import { deploymentOf, replicaSetOf } from "./testing.ts";

const sizes = (plan: ReturnType<typeof planScaling>) =>
  Object.fromEntries(plan.map(({ replicaSet, replicas }) => [replicaSet.metadata?.name, replicas]));

test("a single active ReplicaSet takes the whole size", () => {
  const rollout = {
    deployment: deploymentOf(5),
    oldReplicaSets: [replicaSetOf("old", 0)],
    newReplicaSet: replicaSetOf("new", 2),
  };
  expect(sizes(planScaling(rollout))).toEqual({ new: 5 });
});

test("during a rollout the difference is shared in proportion: ten to fifteen (kubernetes.io's example)", () => {
  const before = deploymentOf(10, { maxSurge: 3, maxUnavailable: 2 });
  const rollout = {
    deployment: deploymentOf(15, { maxSurge: 3, maxUnavailable: 2 }),
    oldReplicaSets: [replicaSetOf("old", 8, { deployment: before, age: 1 })],
    newReplicaSet: replicaSetOf("new", 5, { available: 0, deployment: before }),
  };
  expect(sizes(planScaling(rollout))).toEqual({ old: 11, new: 7 });
});

test("with the new ReplicaSet saturated, old ones are scaled to nothing", () => {
  const deployment = deploymentOf(3);
  const rollout = {
    deployment,
    oldReplicaSets: [replicaSetOf("adopted", 2)],
    newReplicaSet: replicaSetOf("new", 3, { deployment }),
  };
  expect(sizes(planScaling(rollout))).toEqual({ adopted: 0 });
});

test("from a full surge to another size: none gets negative, and the sum is what the Deployment may have", () => {
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
