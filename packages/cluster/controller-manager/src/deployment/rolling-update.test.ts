import type { ReplicaSet } from "@operator-path/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { desiredReplicas } from "../replicas.ts";
import { fenceposts } from "./fenceposts.ts";
import { planRollingUpdate } from "./rolling-update.ts";
import { observedReplicas, replicaSetsOf, type Scaling, totalDesiredReplicas } from "./rollout.ts";
import { deploymentOf, replicaSetOf } from "./testing.ts";

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

test("unavailable old Pods go first, even when the new ones never become available", () => {
  // The Go controller's own example: 10 replicas, surge 3, 2 may be missing, the new Pods crash, the user rolls back.
  const deployment = deploymentOf(10, { maxSurge: 3, maxUnavailable: 2 });
  const plan = planRollingUpdate({
    deployment,
    oldReplicaSets: [replicaSetOf("crashing", 5, { available: 0 })],
    newReplicaSet: replicaSetOf("good", 8, { available: 7 }),
  });
  expect(sizes(plan)).toEqual(["crashing 1"]);
});

test("a Deployment that shrinks takes the new ReplicaSet along", () => {
  const rollout = { deployment: deploymentOf(2), oldReplicaSets: [], newReplicaSet: replicaSetOf("new", 5) };
  expect(sizes(planRollingUpdate(rollout))).toEqual(["new 2"]);
});

test("from any start, with Pods coming up in any order, a rollout ends, and stays within its limits on the way", () => {
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
          // The ReplicaSet controller removes unavailable Pods first; of new Pods, some come up.
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
