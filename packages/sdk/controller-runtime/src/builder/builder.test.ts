import { configMaps, deployments, pods, secrets } from "@operator-path/client";
import { expect, test } from "vitest";
import type { ControllerOptions } from "../controller/options.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { createTestManager, createTestSource } from "../controller/testing/test-manager.ts";
import { enqueueRequestForObject } from "../handler/enqueue-request-for-object.ts";
import { newControllerManagedBy } from "./builder.ts";

const { manager } = createTestManager();
const builder = () => newControllerManagedBy(manager);
const reconcile = () => {};

test.each([
  ["no watch", () => builder().named("x"), "this controller watches nothing"],
  ["owns without for", () => builder().named("x").owns(pods), "owns(…) needs for(…)"],
  [
    "no name",
    () => builder().watches(pods, enqueueRequestForObject),
    "a controller needs a name: call for(…) or named(…)",
  ],
  [
    "no reconciler",
    () => ({
      complete: () =>
        builder()
          .for(pods)
          .complete(undefined as never),
    }),
    "complete(…) and build(…) need a reconciler: a function, or an object with a method reconcile",
  ],
  [
    "a name that is taken",
    () => {
      builder().for(secrets).complete(reconcile);
      return builder().for(configMaps).named("secret");
    },
    "a controller named secret already exists: give this one another name with named(…)",
  ],
])("rejects %s", (_, make, message) => {
  expect(() => make().complete(reconcile)).toThrow(message);
});

test("rejects a second for(…)", () => {
  expect(() => builder().for(pods).for(deployments)).toThrow("for(…) was already called with Pod");
});

test("allows the same name in two managers, or without name validation", () => {
  const make = (options = {}) => builder().for(pods).named("twice").withOptions(options).build(reconcile);
  expect(make().name).toBe("twice");
  expect(make({ skipNameValidation: true }).name).toBe("twice");
  newControllerManagedBy(createTestManager().manager).for(pods).named("twice").complete(reconcile);
});

test("takes options from the controller, then its kind, then the manager", async () => {
  const { clock, manager: create } = createMemoryCluster();
  const { manager, run, metric } = create({
    controller: {
      maxConcurrentReconciles: 2,
      groupKindConcurrency: { "Deployment.apps": 3 },
      needLeaderElection: false,
    },
  });
  const workers = async (name: string) =>
    metric(`controller_runtime_max_concurrent_reconciles{controller="${name}"}`);
  const own = () => newControllerManagedBy(manager).watchesRawSource(createTestSource());
  expect(own().named("default").build(reconcile).needLeaderElection).toBe(false);
  own().named("own").withOptions({ maxConcurrentReconciles: 5 }).complete(reconcile);
  const ofKind = (name: string, options: ControllerOptions) => {
    const kind = newControllerManagedBy(manager).for(deployments).named(name).withOptions(options);
    kind.complete(reconcile);
  };
  ofKind("kind", {});
  ofKind("unsaid", { maxConcurrentReconciles: undefined } as unknown as ControllerOptions);
  ofKind("more", { maxConcurrentReconciles: 4 });
  run();
  await clock.advance(0);
  expect([await workers("default"), await workers("own")]).toEqual([2, 5]);
  expect([await workers("kind"), await workers("unsaid"), await workers("more")]).toEqual([3, 3, 4]);
});

test("rejects a controller that is added while the manager stops", async () => {
  const { manager, clock, run } = createTestManager();
  const { stop, ended } = run();
  await clock.advance(0);
  stop();
  await clock.advance(0);
  await ended;
  expect(() => newControllerManagedBy(manager).for(pods).complete(reconcile)).toThrow(
    "the manager is stopping: nothing can be added to its leader election runnables",
  );
});
