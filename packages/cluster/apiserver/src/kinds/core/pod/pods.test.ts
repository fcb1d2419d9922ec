import { createFakeClock } from "@operator-path/client/testing";
import { beforeEach, describe, expect, test } from "vitest";
import type { Status } from "../../../apimachinery/errors.ts";
import { timestamp } from "../../../lib/clock.ts";
import type { JsonObject } from "../../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const accounts = "/api/v1/namespaces/default/serviceaccounts";
const mergePatch = { "content-type": "application/merge-patch+json" };
const clock = createFakeClock(Date.parse("2026-01-01T00:00:00Z"));
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ clock });
  await server.create(accounts, { metadata: { name: "default" } });
});

function pod(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [{ name: "main", image: "payment:1.0.0" }], ...spec },
  };
}

const scheduled = { nodeName: "n1", terminationGracePeriodSeconds: 30 };

async function remove(query = "") {
  return server.request("DELETE", `${pods}/p${query}`);
}

describe("a new Pod", () => {
  test("gets a ServiceAccount, a token, a status and a generation", async () => {
    const created = await server.create(pods, {
      ...pod("p"),
      status: { phase: "Running", podIP: "1.2.3.4" },
    });
    expect(created.metadata.generation).toBe(1);
    expect(created.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    const volume = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    expect(created.spec).toMatchObject({
      serviceAccountName: "default",
      serviceAccount: "default",
      priority: 0,
      containers: [
        {
          volumeMounts: [
            { name: volume, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
          ],
        },
      ],
      volumes: [
        { name: volume, projected: { sources: [{ serviceAccountToken: { path: "token" } }, {}, {}] } },
      ],
    });
  });

  test("has no token volume when its account disables token mounts", async () => {
    await server.create(accounts, { metadata: { name: "quiet" }, automountServiceAccountToken: false });
    const created = await server.create(pods, pod("p", { serviceAccountName: "quiet" }));
    expect(created.spec).not.toHaveProperty("volumes");
  });

  test("waits for the default account of a new namespace", async () => {
    await server.create("/api/v1/namespaces", { metadata: { name: "fresh" } });
    const creating = server.request("POST", "/api/v1/namespaces/fresh/pods", { body: pod("p") });
    await expect.poll(() => clock.pending()).toBeGreaterThan(1);
    await server.create("/api/v1/namespaces/fresh/serviceaccounts", { metadata: { name: "default" } });
    expect((await creating).status).toBe(201);
  });

  test("is refused when the default account does not appear", async () => {
    await server.create("/api/v1/namespaces", { metadata: { name: "bare" } });
    const pending = clock.pending();
    const creating = server.request("POST", "/api/v1/namespaces/bare/pods", { body: pod("p") });
    await expect.poll(() => clock.pending()).toBeGreaterThan(pending);
    await clock.advance(1000);
    expect((await creating).json()).toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: error looking up service account bare/default: serviceaccount "default" not found',
    });
  });

  test("is refused at once when it names a missing account", async () => {
    const answer = await server.request("POST", pods, { body: pod("p", { serviceAccountName: "missing" }) });
    expect(answer.json()).toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: error looking up service account default/missing: serviceaccount "missing" not found',
    });
  });
});

describe("deleting a Pod", () => {
  test("without a node is immediate: watchers see it modified, then deleted", async () => {
    await server.create(pods, pod("p"));
    const watch = await server.watch(`${pods}?watch=1`);
    await watch.next();
    const deleted = (await remove()).json();
    expect(deleted.metadata).toMatchObject({
      deletionTimestamp: timestamp(clock.now()),
      deletionGracePeriodSeconds: 0,
      generation: 2,
    });
    expect([(await watch.next())?.type, (await watch.next())?.type]).toEqual(["MODIFIED", "DELETED"]);
    expect((await server.request("GET", `${pods}/p`)).status).toBe(404);
  });

  test("starts its grace period, which a second delete can only shorten; 0 deletes it", async () => {
    await server.create(pods, pod("p", scheduled));
    const first = (await remove()).json();
    expect(first.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
    expect(Date.parse(first.metadata.deletionTimestamp as string)).toBe(
      Math.floor(clock.now() / 1000) * 1000 + 30_000,
    );
    const again = (await remove("?gracePeriodSeconds=60")).json();
    expect(again.metadata).toEqual(first.metadata);
    const shorter = (await remove("?gracePeriodSeconds=5")).json();
    expect(shorter.metadata).toMatchObject({ deletionGracePeriodSeconds: 5, generation: 2 });
    await clock.advance(10_000);
    // Five seconds have passed. One second is left, so that the kubelet still ends the Pod.
    expect((await remove("?gracePeriodSeconds=3")).json().metadata.deletionGracePeriodSeconds).toBe(1);
    expect((await remove("?gracePeriodSeconds=0")).status).toBe(200);
    expect((await server.request("GET", `${pods}/p`)).status).toBe(404);
  });

  test("that has finished is immediate", async () => {
    await server.create(pods, pod("p", scheduled));
    await server.request("PATCH", `${pods}/p/status`, {
      body: { status: { phase: "Succeeded" } },
      headers: mergePatch,
    });
    await remove();
    expect((await server.request("GET", `${pods}/p`)).status).toBe(404);
  });

  test("by eviction respects the disruption budget", async () => {
    await server.create(pods, { ...pod("p", scheduled), metadata: { name: "p", labels: { app: "x" } } });
    await server.request("PATCH", `${pods}/p/status`, {
      body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      headers: mergePatch,
    });
    const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    await server.create(budgets, {
      metadata: { name: "b" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "x" } } },
    });
    const evict = () =>
      server.request("POST", `${pods}/p/eviction`, {
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      });
    const refusal = async () => {
      const { code, details } = (await evict()).json<Status>();
      return [code, details?.causes?.[0]?.message, details?.retryAfterSeconds];
    };
    expect((await evict()).json()).toMatchObject({
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
    expect(await refusal()).toEqual([
      429,
      "The disruption budget b is still being processed by the server.",
      10,
    ]);
    const report = (status: object) =>
      server.request("PATCH", `${budgets}/b/status`, { body: { status }, headers: mergePatch });
    await report({ observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1 });
    expect((await refusal()).slice(0, 2)).toEqual([
      429,
      "The disruption budget b needs 1 healthy pods and has 1 currently",
    ]);
    const conditions = [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "" }];
    await report({ disruptionsAllowed: 1, conditions });
    expect((await evict()).status).toBe(201);
    const { status } = (await server.request("GET", `${budgets}/b`)).json();
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: expect.stringMatching(/Z$/) },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    expect((await server.request("GET", `${pods}/p`)).json().status).toMatchObject({
      conditions: [
        { type: "Ready" },
        { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" },
      ],
    });
    expect((await server.request("GET", `${pods}/p`)).json().metadata.deletionTimestamp).toBeDefined();
  });
});

describe("binding", () => {
  const bind = (name = "p") =>
    server.request("POST", `${pods}/p/binding`, {
      body: { metadata: { name }, target: { kind: "Node", name: "n1" } },
    });

  test("assigns a Pod to a node, once", async () => {
    await server.create(pods, pod("p"));
    expect((await bind()).json()).toMatchObject({ kind: "Status", status: "Success", code: 201 });
    const bound = (await server.request("GET", `${pods}/p`)).json();
    expect(bound).toMatchObject({
      spec: { nodeName: "n1" },
      status: { conditions: [{ type: "PodScheduled", status: "True" }] },
    });
    expect((await bind()).json()).toMatchObject({
      code: 409,
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    });
  });

  test("must name the Pod in its path", async () => {
    await server.create(pods, pod("p"));
    expect((await bind("other")).json()).toMatchObject({
      code: 400,
      message: "name in URL does not match name in Binding object",
    });
  });
});

describe("status", () => {
  test("changes only through the status subresource, which changes nothing else", async () => {
    await server.create(pods, pod("p"));
    const both = { spec: { priority: 7 }, status: { phase: "Running" } };
    const status = (
      await server.request("PATCH", `${pods}/p/status`, { body: both, headers: mergePatch })
    ).json();
    expect(status).toMatchObject({
      spec: { priority: 0 },
      status: { phase: "Running", qosClass: "BestEffort" },
    });
    expect(status.metadata.generation).toBe(1);
    const body = { metadata: { labels: { a: "b" } }, status: { phase: "Failed" } };
    const main = (await server.request("PATCH", `${pods}/p`, { body, headers: mergePatch })).json();
    expect(main).toMatchObject({ metadata: { labels: { a: "b" } }, status: { phase: "Running" } });
  });
});

describe("ephemeral containers", () => {
  const strategic = { "content-type": "application/strategic-merge-patch+json" };
  const patch = (spec: JsonObject) =>
    server.request("PATCH", `${pods}/p/ephemeralcontainers`, {
      body: { metadata: { labels: { smuggled: "yes" } }, spec },
      headers: strategic,
    });

  test("are added through their subresource, which changes nothing else", async () => {
    await server.create(pods, pod("p"));
    const answer = await patch({
      ephemeralContainers: [{ name: "debugger", image: "busybox", targetContainerName: "main" }],
      containers: [{ name: "main", image: "other" }],
    });
    expect(answer.status).toBe(200);
    const changed = answer.json();
    expect(changed.spec).toMatchObject({
      containers: [{ image: "payment:1.0.0" }],
      ephemeralContainers: [{ name: "debugger", image: "busybox" }],
    });
    expect(changed.metadata).toMatchObject({ generation: 2 });
    expect(changed.metadata.labels).toBeUndefined();
  });

  test("cannot change once added; others may be added", async () => {
    await server.create(pods, pod("p"));
    await patch({ ephemeralContainers: [{ name: "one", image: "busybox" }] });
    const messages = async (spec: JsonObject, headers = strategic) => {
      const options = { body: { spec }, headers };
      const answer = await server.request("PATCH", `${pods}/p/ephemeralcontainers`, options);
      return [answer.status, answer.json().message];
    };
    const refused = (text: string) => [422, `Pod "p" is invalid: spec.ephemeralContainers${text}`];
    // Messages recorded from kube-apiserver 1.36.3, which appends a diff to the first one.
    expect(await messages({ ephemeralContainers: [{ name: "one", image: "other" }] })).toEqual(
      refused(': Forbidden: existing ephemeral containers "one" may not be changed\n'),
    );
    expect(await messages({ ephemeralContainers: null }, mergePatch)).toEqual(
      refused(': Forbidden: existing ephemeral containers "one" may not be removed\n'),
    );
    expect(await messages({ ephemeralContainers: [{ name: "main", image: "x" }] })).toEqual(
      refused('[0].name: Duplicate value: "main"'),
    );
    expect(
      await messages({ ephemeralContainers: [{ name: "two", image: "x", targetContainerName: "none" }] }),
    ).toEqual(refused('[0].targetContainerName: Not found: "none"'));
    expect(await messages({ ephemeralContainers: [{ name: "two" }] })).toEqual(
      refused("[0].image: Required value"),
    );
    expect(
      await messages({ ephemeralContainers: [{ name: "two", image: "x", ports: [{ containerPort: 80 }] }] }),
    ).toEqual(refused("[0].ports: Forbidden: cannot be set for an Ephemeral Container"));
    expect((await messages({ ephemeralContainers: [{ name: "two", image: "x" }] }))[0]).toBe(200);
    const { spec } = (await server.request("GET", `${pods}/p`)).json();
    expect(
      (spec as { ephemeralContainers: { name: string }[] }).ephemeralContainers
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["one", "two"]);
  });

  test("need a Pod", async () => {
    const answer = await patch({ ephemeralContainers: [] });
    expect(answer.json()).toMatchObject({ code: 404, message: 'pods "p" not found' });
  });
});
