import { fileURLToPath } from "node:url";
import { deployments } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findStatusCondition } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { apps, setupApps } from "./status-and-conditions.ts";
import { startOperator } from "./testing/operator.ts";

const crd = fileURLToPath(new URL("status-and-conditions.crd.yaml", import.meta.url));
const cluster = await startTestCluster({ crds: [crd] });
afterAll(() => cluster.stop());

const longAgo = "2020-01-01T00:00:00Z";

/** Starts the operator and creates an App. Resolves when its condition Ready is False. */
async function start() {
  const operator = await startOperator(cluster, {
    ...{ resources: [apps], role: "status-and-conditions.role.yaml", setup: setupApps },
  });
  const app = cluster.client.resource(apps).namespace(operator.namespace);
  const deployment = cluster.client.resource(deployments).namespace(operator.namespace);
  const ready = async () => findStatusCondition((await app.get("shop")).status?.conditions, "Ready");
  /** Writes what the Deployment controller writes when Pods of the current template become available. */
  const becomeReady = async (replicas: number) => {
    const { metadata } = await deployment.get("shop");
    const counts = {
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    };
    const status = { observedGeneration: metadata?.generation ?? 0, ...counts };
    await deployment.patch("shop", { status }, { type: "merge", subresource: "status" });
  };
  await app.create({ metadata: { name: "shop" }, spec: { image: "nginx:1.29", replicas: 2 } });
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: "False", observedGeneration: 1 }),
  );
  return {
    operator,
    app,
    deployment,
    ready,
    becomeReady,
    [Symbol.asyncDispose]: operator[Symbol.asyncDispose],
  };
}

test("keeps lastTransitionTime until the status of the condition changes", async () => {
  await using started = await start();
  const { app, ready, becomeReady } = started;
  const { metadata, ...rest } = await app.get("shop");
  const conditions = rest.status?.conditions?.map((condition) => ({
    ...condition,
    lastTransitionTime: longAgo,
  }));
  await app.updateStatus({
    ...rest,
    metadata: metadata ?? {},
    status: { ...rest.status, conditions: conditions ?? [] },
  });

  await becomeReady(1);
  await eventually(async () =>
    expect(await ready()).toMatchObject({ message: "1 of 2 Pods are up to date, 1 available" }),
  );
  expect(await ready()).toMatchObject({ status: "False", lastTransitionTime: longAgo });

  await becomeReady(2);
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True", reason: "AllReady" }));
  expect((await ready())?.lastTransitionTime).not.toBe(longAgo);
});

test("says which generation the condition is about", async () => {
  await using started = await start();
  const { app, ready, becomeReady } = started;
  await becomeReady(2);
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: "True", observedGeneration: 1 }),
  );
  await app.patch("shop", { spec: { replicas: 3 } }, { type: "merge" });
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: "False", observedGeneration: 2, reason: "RollingOut" }),
  );
});

test("a changed image is not Ready before all Pods have it", async () => {
  await using started = await start();
  const { app, deployment, ready, becomeReady } = started;
  await becomeReady(2);
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));

  // The Deployment's status still says that two Pods are available.
  await app.patch("shop", { spec: { image: "nginx:1.30" } }, { type: "merge" });
  await eventually(async () => expect(await ready()).toMatchObject({ observedGeneration: 2 }));
  expect(await ready()).toMatchObject({ status: "False", reason: "RollingOut" });
  const stale = (await deployment.get("shop")).status;
  expect(stale).toMatchObject({ observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 });

  // Both numbers are 2, but one of the available Pods is an old one.
  const surge = { observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 2 };
  await deployment.patch("shop", { status: surge }, { type: "merge", subresource: "status" });
  const message = "2 of 2 Pods are up to date, 2 available";
  await eventually(async () => expect(await ready()).toMatchObject({ status: "False", message }));

  await becomeReady(2);
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: "True", observedGeneration: 2 }),
  );
});

test("writes the status once for each change of it", async () => {
  await using started = await start();
  const { operator, app, deployment, ready, becomeReady } = started;
  const { requests } = operator;
  const count = (resource: string) =>
    requests.filter(({ subresource, ...at }) => at.resource + subresource === resource).length;
  await becomeReady(2);
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));
  const applies = requests.filter(({ verb }) => verb === "patch").length;
  await deployment.patch("shop", { metadata: { labels: { touched: "yes" } } }, { type: "merge" });
  await eventually(() =>
    expect(requests.filter(({ verb }) => verb === "patch").length).toBeGreaterThan(applies),
  );
  // The last change of this test: what came before it was handled.
  await app.patch("shop", { spec: { replicas: 1 } }, { type: "merge" });
  await eventually(async () => expect(await ready()).toMatchObject({ observedGeneration: 2 }));
  expect(count("appsstatus")).toBe(3);
  const { needed, granted } = operator.permissions();
  expect(needed).toEqual(granted);
});

test("says in the condition why the Deployment cannot be applied, and tries again", async () => {
  await using started = await start();
  const { app, ready, becomeReady } = started;
  await becomeReady(2);
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));
  await app.patch("shop", { spec: { image: "" } }, { type: "merge" });
  await eventually(async () => {
    const condition = await ready();
    expect(condition).toMatchObject({ status: "False", reason: "ApplyFailed", observedGeneration: 2 });
    expect(condition?.message).toMatch(/^Deployment.* "shop" is invalid: .*image: Required value/);
  });
  // The Pods still run, so the number stays.
  expect((await app.get("shop")).status?.readyReplicas).toBe(2);
  await eventually(async () =>
    expect(await started.operator.manager.metrics.metrics()).toMatch(
      /reconcile_errors_total{controller="app"} [2-9]/,
    ),
  );
});

test("ignores a status in a write of the object itself", async () => {
  await using started = await start();
  const { app } = started;
  const before = (await app.get("shop")).status;
  await app.patch("shop", { status: { readyReplicas: 9 } }, { type: "merge" });
  expect((await app.get("shop")).status).toEqual(before);
});
