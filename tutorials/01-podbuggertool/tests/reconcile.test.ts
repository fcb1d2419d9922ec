import { ApiError, type Pod, pods } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import {
  type Client,
  createLogger,
  type ReconcileContext,
  type Result,
} from "@operator-path/controller-runtime";
import { interceptClient } from "@operator-path/controller-runtime/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createPatience } from "../podbuggertool/src/patience.ts";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { createPatience as createPatienceOnRuntime } from "../podbuggertool-on-controller-runtime/src/patience.ts";
import { pod, request, tool, toolContainer } from "./testing/objects.ts";
import {
  createFakeCluster,
  createOnInformers,
  createOnRuntime,
  createRecorderOn,
} from "./testing/reconcilers.ts";

// Both versions of the operator, one reconcile at a time, on a fake client.

const context = { log: createLogger({ level: "silent" }) } as ReconcileContext;
const notReady = "Warning NotReady";

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});

test.each([
  ["on informers", createPatience],
  ["on controller-runtime", createPatienceOnRuntime],
])(
  "%s: a wait begins anew when the Pod's spec changes, and when the Pod was forgotten",
  async (_, create) => {
    const clock = createFakeClock();
    const patience = create(clock);
    const waiting = (generation?: number): Pod => ({
      ...{ apiVersion: "v1", kind: "Pod", metadata: { uid: "1", ...(generation && { generation }) } },
    });
    expect(patience.left(waiting())).toBe(120_000);
    await clock.advance(60_000);
    expect(patience.left(waiting())).toBe(60_000);
    expect(patience.left(waiting(2))).toBe(120_000);
    await clock.advance(60_000);
    patience.forget({ ...waiting(2), metadata: { uid: "2" } });
    expect(patience.left(waiting(2))).toBe(60_000);
    patience.forget(waiting(2));
    expect(patience.left(waiting(2))).toBe(120_000);
  },
);

describe.each([
  ["on informers", createOnInformers],
  ["on controller-runtime", createOnRuntime],
])("%s", (_, create) => {
  /** `refuse` returns the error of a write to this Pod. */
  function start(
    objects: Pod[],
    { tools = [tool], refuse = (_pod: string): Error | undefined => undefined } = {},
  ) {
    const cluster = createFakeCluster([...tools, ...objects]);
    const clock = createFakeClock();
    const recorder = createRecorderOn(cluster);
    const client = interceptClient(cluster, {
      subResourcePatch: async (inner, name, object, patch, options) => {
        const error = name === "ephemeralcontainers" && refuse(object.metadata?.name ?? "");
        if (error) throw error;
        return inner.subResource(name).patch(object, patch, options);
      },
    });
    const reconciler = create(client, recorder, clock);
    const reconcile = async (key = request) => ((await reconciler(key, context)) ?? {}) as Result;
    return { cluster, clock, reconcile, said: recorder.said };
  }

  async function containersIn(cluster: Client, name: string, namespace = "shop") {
    return (await cluster.get(pods, { namespace, name })).spec?.ephemeralContainers ?? [];
  }

  test("adds a whole container, and says so on the Pod", async () => {
    const { cluster, reconcile, said } = start([pod("one")]);
    expect(await reconcile()).toEqual({});
    expect(await containersIn(cluster, "one")).toEqual([toolContainer("ephemeral-busybox")]);
    expect(said).toEqual(["Normal ToolInstalled one: Added ephemeral-busybox for tool"]);
    expect(await reconcile()).toEqual({});
    expect(said).toHaveLength(1);
  });

  test.each([
    ["busybox:1.36", "ephemeral-busybox-3"],
    ["registry:5000/_tools_", "ephemeral-tools"],
    ["registry:5000/__", "ephemeral-tool"],
  ])("names the container of %s %s, beside those that the Pod has", async (image, name) => {
    const { spec, ...rest } = pod("one");
    const initContainers = [{ name: "ephemeral-busybox-2", image: "init" }];
    const containers = [{ name: "ephemeral-busybox", image: "payment" }];
    const { cluster, reconcile } = start([{ ...rest, spec: { ...spec, containers, initContainers } }], {
      tools: [{ ...tool, spec: { ...tool.spec, image } }],
    });
    await reconcile();
    expect((await containersIn(cluster, "one")).map((container) => container.name)).toEqual([name]);
  });

  test("counts the running containers of its own tool and image", async () => {
    const of = (name: string, container: object, state: object): Pod => {
      const { spec, ...rest } = pod(name);
      const statuses = [
        { name: "ephemeral-busybox", image: "busybox", imageID: "", ready: true, restartCount: 0, state },
      ];
      return {
        ...rest,
        spec: { ...spec, ephemeralContainers: [container] } as Pod["spec"],
        status: { ...rest.status, ephemeralContainerStatuses: statuses },
      };
    };
    const own = toolContainer("ephemeral-busybox");
    const { cluster, reconcile } = start([
      of("running", own, { running: {} }),
      of("waiting", own, { waiting: {} }),
      of("foreign", toolContainer("ephemeral-busybox", "another"), { running: {} }),
    ]);
    await reconcile();
    expect((await cluster.get(podbuggertools, request)).status?.installed).toBe(1);
    const names = (await containersIn(cluster, "foreign")).map(({ name }) => name);
    expect(names.sort()).toEqual(["ephemeral-busybox", "ephemeral-busybox-2"]);
  });

  test.each<[string, Partial<Pod>]>([
    ["has another label", { metadata: { namespace: "shop", name: "one", labels: { app: "store" } } }],
    ["has no label", { metadata: { namespace: "shop", name: "one" } }],
    ["has succeeded", { status: { ...pod("one").status, phase: "Succeeded" } }],
    ["has failed", { status: { ...pod("one").status, phase: "Failed" } }],
    [
      "is being deleted",
      {
        metadata: { ...pod("one").metadata, deletionTimestamp: "2026-11-22T00:00:00Z", finalizers: ["a/b"] },
      },
    ],
    ["is in another namespace", { metadata: { ...pod("one").metadata, namespace: "other" } }],
  ])("leaves a Pod alone that %s", async (_, more) => {
    const { cluster, reconcile, said } = start([{ ...pod("one"), ...more }]);
    expect(await reconcile()).toEqual({});
    expect(await containersIn(cluster, "one", more.metadata?.namespace)).toEqual([]);
    expect(said).toEqual([]);
  });

  test("waits for Pods that are not ready, and asks for the nearest end of a wait", async () => {
    const { cluster, clock, reconcile, said } = start([pod("two", { ready: false })]);
    expect(await reconcile()).toEqual({ requeueAfter: 120_000 });
    await clock.advance(30_000);
    await cluster.create(pod("one"));
    expect(await reconcile()).toEqual({ requeueAfter: 90_000 });
    await clock.advance(89_999);
    expect(await reconcile()).toEqual({ requeueAfter: 1 });
    expect(said).toEqual([]);
    await clock.advance(1);
    // The other Pod is waited for, still.
    expect(await reconcile()).toEqual({ requeueAfter: 30_000 });
    expect(said).toEqual([`${notReady} two: Not ready for 120 s: no tool is added until that changes`]);
    await clock.advance(60_000);
    expect(await reconcile()).toEqual({});
    expect(said.map((line) => line.split(":")[0])).toEqual([`${notReady} two`, `${notReady} one`]);
    expect(await reconcile()).toEqual({});
    expect(said).toHaveLength(2);
  });

  test("an unready Pod does not stop the others", async () => {
    const { cluster, reconcile } = start([pod("a", { ready: false }), pod("b"), pod("c", { ready: false })]);
    expect(await reconcile()).toEqual({ requeueAfter: 120_000 });
    expect(await containersIn(cluster, "b")).toHaveLength(1);
    expect((await cluster.get(podbuggertools, request)).status).toEqual({ installed: 0 });
  });

  test("a refusal is reported on the tool, and rejects after the other Pods are served", async () => {
    const forbidden = new ApiError({ code: 403, reason: "Forbidden", message: "not yours" });
    const { cluster, reconcile, said } = start([pod("a"), pod("b")], {
      refuse: (name) => (name === "a" ? forbidden : undefined),
    });
    await expect(reconcile()).rejects.toMatchObject({ message: "not yours" });
    expect(await containersIn(cluster, "b")).toHaveLength(1);
    expect((await cluster.get(podbuggertools, request)).status).toEqual({ installed: 0 });
    expect(said).toEqual([
      "Warning NotInstalled tool: Pod a: ApiError: not yours",
      "Normal ToolInstalled b: Added ephemeral-busybox for tool",
    ]);
  });

  test.each([
    ["conflict", 409, "Conflict"],
    ["deleted Pod", 404, "NotFound"],
  ])("a %s is not reported, and hides no refusal of another Pod", async (_, code, reason) => {
    const refusals = new Map([
      ["a", new ApiError({ code, reason, message: "gone or changed" })],
      ["b", new ApiError({ code: 403, reason: "Forbidden", message: "not yours" })],
    ]);
    const { reconcile, said } = start([pod("a"), pod("b")], { refuse: (name) => refusals.get(name) });
    await expect(reconcile()).rejects.toMatchObject({ message: "not yours" });
    expect(said).toEqual(["Warning NotInstalled tool: Pod b: ApiError: not yours"]);
  });

  test("a Pod that was changed since it was read is not written", async () => {
    const { cluster, reconcile } = start([pod("one")]);
    const list = cluster.list;
    const stale = await list(pods);
    await cluster.create({ ...tool, metadata: { namespace: "shop", name: "unrelated" } });
    const one = await cluster.get(pods, { namespace: "shop", name: "one" });
    await cluster.update({ ...one, metadata: { ...one.metadata, labels: { app: "payment", seen: "yes" } } });
    // The reconciler's cache is behind.
    const late = create(
      {
        ...cluster,
        list: async (resource, options) => (resource === pods ? (stale as never) : list(resource, options)),
      },
      createRecorderOn(cluster),
    );
    await Promise.resolve(late(request, context)).catch((error) => expect(error.reason).toBe("Conflict"));
    expect(await containersIn(cluster, "one")).toEqual([]);
    await reconcile();
    expect(await containersIn(cluster, "one")).toHaveLength(1);
  });

  test("a deleted tool is announced once, on each Pod of its namespace that keeps a container", async () => {
    const serve = (one: Pod, ...containers: object[]): Pod =>
      ({ ...one, spec: { ...one.spec, ephemeralContainers: containers } }) as Pod;
    const elsewhere = { ...pod("four").metadata, namespace: "other" };
    const { reconcile, said } = start(
      [
        serve(pod("one"), toolContainer("a"), toolContainer("b"), toolContainer("c", "another")),
        serve(pod("two"), toolContainer("c", "another"), { name: "debugger", image: "busybox" }),
        serve(pod("three"), toolContainer("a")),
        serve(pod("five"), toolContainer("a")),
        serve({ ...pod("four"), metadata: elsewhere }, toolContainer("a")),
      ],
      { tools: [] },
    );
    expect(await reconcile()).toEqual({});
    const message = "tool was deleted; until the Pod is replaced it keeps";
    expect(said.sort()).toEqual([
      `Normal ToolRemoved five: ${message} a`,
      `Normal ToolRemoved one: ${message} a, b`,
      `Normal ToolRemoved three: ${message} a`,
    ]);
    expect(await reconcile()).toEqual({});
    expect(said).toHaveLength(3);
  });
});
