import {
  type ApiError,
  type ConfigMap,
  configMaps,
  isConflict,
  type KubeObject,
  pods,
  type Secret,
  secrets,
} from "@operator-path/client";
import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/errors.ts";
import { rawPatch } from "../../client/patch.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { asReconciler } from "../../reconcile/object-reconciler.ts";
import type { ReconcileFunction } from "../../reconcile/reconciler.ts";
import { createFakeClient } from "../fake/fake-client.ts";
import { checkFaults, type FaultScene } from "./check-faults.ts";

// The reconciler of these tests copies the data of a ConfigMap into a Secret of the same name. The ConfigMap
// owns it.

const request = { namespace: "shop", name: "sample" };
const source: ConfigMap = {
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { ...request, labels: { app: "shop" } } },
  data: { password: "first" },
};

type Reconcile = (client: Client) => ReconcileFunction;

const copies: Reconcile = (client) => async (request) => {
  const from = await client.get(configMaps, request).catch(ignoreNotFound);
  if (!from) return;
  const copy = await client.get(secrets, request).catch(ignoreNotFound);
  if (!copy) await client.create(copyOf(from));
  else if (copy.stringData?.password !== from.data?.password) {
    await client.update({ ...copy, stringData: { ...from.data } });
  }
};

function copyOf({ apiVersion, kind, metadata, data }: ConfigMap): Secret {
  const copy: Secret = {
    ...{ apiVersion: "v1", kind: "Secret", metadata: { ...request } },
    stringData: { ...data },
  };
  return setControllerReference({ apiVersion, kind, metadata } as ConfigMap, copy);
}

function scene(reconciler: Reconcile, more: Partial<FaultScene> = {}): () => FaultScene {
  return () => ({
    ...{ client: createFakeClient({ objects: [source] }), resource: configMaps, request, reconciler },
    steps: [
      async (client) =>
        client.update({ ...(await client.get(configMaps, request)), data: { password: "second" } }),
    ],
    ...more,
  });
}

test("returns the writes of a reconciler that withstands every fault", async () => {
  expect(await checkFaults(scene(copies))).toEqual([
    "create Secret shop/sample",
    "update Secret shop/sample",
  ]);
});

const configurationOf = (from: ConfigMap) => ({ ...copyOf(from), apiVersion: "v1", kind: "Secret" }) as const;

/** Applies the Secret at every reconcile. It reads only the ConfigMap. */
const applies: Reconcile = (client) => async (request) => {
  const from = await client.get(configMaps, request).catch(ignoreNotFound);
  if (from) await client.apply(configurationOf(from), { fieldManager: "copies" });
};

test("accepts an apply that leaves the object unchanged", async () => {
  expect(await checkFaults(scene(applies))).toEqual(["apply Secret shop/sample", "apply Secret shop/sample"]);
});

test("accepts an apply of the reconciled object itself", async () => {
  const reconciler: Reconcile = (client) => async (request) => {
    await client.apply(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { ...request }, data: { a: "b" } },
      { fieldManager: "copies" },
    );
  };
  // The second one creates the ConfigMap again after its deletion.
  const writes = await checkFaults(scene(reconciler, { steps: [] }));
  expect(writes).toEqual(["apply ConfigMap shop/sample", "apply ConfigMap shop/sample"]);
});

test("accepts an apply of the status that leaves the object unchanged", async () => {
  const reconciler: Reconcile = (client) => async (request) => {
    if (!(await client.get(pods, request).catch(ignoreNotFound))) return;
    await client.status.apply(
      { apiVersion: "v1", kind: "Pod", metadata: { ...request }, status: { message: "seen" } },
      { fieldManager: "copies" },
    );
  };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: request, spec: { containers: [] } };
  const writes = await checkFaults(() => ({
    ...{ client: createFakeClient({ objects: [pod] }), resource: pods, request, reconciler },
  }));
  expect(writes).toEqual(["apply Pod/status shop/sample"]);
});

test("accepts an apply through client.patch that leaves the object unchanged", async () => {
  const reconciler: Reconcile = (client) => async (request) => {
    const from = await client.get(configMaps, request).catch(ignoreNotFound);
    if (!from) return;
    await client.patch(copyOf(from), rawPatch("apply", configurationOf(from)), { fieldManager: "copies" });
  };
  expect(await checkFaults(scene(reconciler))).toEqual([
    "patch Secret shop/sample",
    "patch Secret shop/sample",
  ]);
});

test("accepts a reconciler that is an object", async () => {
  const reconciler = (client: Client) =>
    asReconciler(client, configMaps, (_, context) => copies(client)(request, context));
  expect(await checkFaults(() => ({ ...scene(copies)(), reconciler }))).toEqual([
    "create Secret shop/sample",
    "update Secret shop/sample",
  ]);
});

test("reports only the fields that differ", async () => {
  const reconciler: Reconcile = (client) => {
    let failures = 0;
    const create = (object: Secret) =>
      client.create({
        ...object,
        ...(failures > 0 && { type: "Opaque" }),
        stringData: { ...object.stringData, failures: `${failures}` },
      });
    const inner = copies({ ...client, create: create as Client["create"] });
    return async (request, context) => {
      await Promise.resolve(inner(request, context)).catch((error: unknown) => {
        failures++;
        throw error;
      });
    };
  };
  await expect(checkFaults(scene(reconciler, { steps: [] }))).rejects.toThrow(
    [
      "failed read at request 1 (get ConfigMap shop/sample): Secret shop/sample differs from the run without a fault",
      '/stringData/failures: expected "0", is "1"',
      '/type: expected no value, is "Opaque"',
    ].join("\n"),
  );
});

/** Wraps a reconciler's client. */
const through =
  (change: (client: Client) => Partial<Client>, reconciler = copies): Reconcile =>
  (client) =>
    reconciler({ ...client, ...change(client) });

test.each<[string, Reconcile, RegExp]>([
  [
    "a swallowed error",
    through(({ create }) => ({
      create: (object) =>
        create(object).catch((error: ApiError) => {
          if (error.code !== 500) throw error;
          return object;
        }),
    })),
    /server error at request 3 \(create Secret shop\/sample\): the reconciler returned {} after a failure/,
  ],
  [
    "a swallowed error of a read",
    through(({ get }) => ({ get: (resource, key) => get(resource, key).catch(() => undefined as never) })),
    /failed read at request 1 \(get ConfigMap shop\/sample\): the reconciler returned {} after a failure/,
  ],
  [
    "an ignored conflict",
    through(({ update }) => ({
      update: (object) =>
        update(object).catch((error) => {
          if (!isConflict(error)) throw error;
          return object;
        }),
    })),
    /conflict at request 8 \(update Secret shop\/sample\): the reconciler returned {} after a failure/,
  ],
  [
    "an update that ignores what others wrote",
    through(({ update }) => ({
      update: ({ metadata: { resourceVersion: _, annotations: __, ...metadata } = {}, ...object }) =>
        update({ ...object, metadata } as never),
    })),
    /conflict at request 8 .*: the reconciler undid another client's change of Secret/,
  ],
  [
    "a write at every reconcile",
    through(({ get, update }) => ({
      get: async (resource, key) => {
        const found = await get(resource, key);
        if (resource.kind === "Secret") await update(found as KubeObject);
        return found;
      },
    })),
    /does not settle: reconcile 25 returned {} and wrote: update Secret shop\/sample/,
  ],
  [
    "an apply that changes the object at every reconcile",
    (client) => {
      let count = 0;
      return async (request) => {
        const configuration = { apiVersion: "v1", kind: "Secret", metadata: { ...request } } as const;
        await client.apply(
          { ...configuration, stringData: { count: `${count++}` } },
          { fieldManager: "copies" },
        );
      };
    },
    /does not settle: reconcile 25 returned {} and wrote: apply Secret shop\/sample/,
  ],
  [
    "a swallowed error of an apply",
    through(
      ({ apply }) => ({
        apply: (async (configuration: never, options: never) =>
          apply(configuration, options).catch(() => configuration)) as Client["apply"],
      }),
      applies,
    ),
    /conflict at request 2 \(apply Secret shop\/sample\): the reconciler returned {} after a failure/,
  ],
  [
    "an immediate requeue",
    (client) => async (request, context) => {
      await copies(client)(request, context);
      return { requeueAfter: 1 };
    },
    /^the reconciler returned { requeueAfter: 1 }, but nothing had failed/,
  ],
  [
    "a list without a namespace",
    (client) => async (request, context) => {
      await copies(client)(request, context);
      const secret = await client.get(secrets, request).catch(ignoreNotFound);
      const count = `${(await client.list(configMaps, { labels: { app: "shop" } })).length}`;
      if (secret && secret.stringData?.count !== count) {
        await client.update({
          ...secret,
          stringData: { password: secret.stringData?.password ?? "", count },
        });
      }
    },
    /^beside objects of the same names in another namespace, Secret shop\/sample differs/,
  ],
  [
    "a write that occurs only after a failure",
    through(({ create, update }) => ({
      create: async (object) => {
        try {
          return await create(object);
        } catch (error) {
          await update(source as never);
          throw error;
        }
      },
    })),
    /wrote something else: update ConfigMap shop\/sample/,
  ],
  [
    "a permanent difference after a failure",
    (client) => {
      let failures = 0;
      return async (request, context) => {
        if (failures > 0) return {};
        await Promise.resolve(copies(client)(request, context)).catch((error: unknown) => {
          failures++;
          throw error;
        });
      };
    },
    /failed read at request 1 .*: Secret shop\/sample differs from the run without a fault\nexpected: {.*\nis: missing/s,
  ],
  [
    "a reconciler that fails without a fault",
    () => () => Promise.reject(new Error("out of order")),
    /^the reconciler failed without a fault: Error: out of order/,
  ],
])("finds %s", async (_, reconciler, message) => {
  await expect(checkFaults(scene(reconciler))).rejects.toThrow(message);
});

test("compares effects outside the cluster", async () => {
  const withCount = () => {
    let calls = 0;
    const reconciler: Reconcile = (client) => {
      const inner = copies(client);
      return async (request, context) => {
        await Promise.resolve(inner(request, context)).catch((error) => {
          calls++;
          throw error;
        });
      };
    };
    return { ...scene(reconciler)(), outside: () => calls };
  };
  await expect(checkFaults(withCount)).rejects.toThrow(
    /failed read at request 1 .*: outside of the cluster differs .*\nexpected: 0\nis: 1/,
  );
});

test("allows a reconciler to wait for a watch event, or to requeue, if the scene says so", async () => {
  const patient: Reconcile = (client) => async (request, context) => {
    await Promise.resolve(copies(client)(request, context)).catch((error) => {
      if (!isConflict(error)) throw error;
    });
    return { requeueAfter: 60_000 };
  };
  const writes = await checkFaults(
    scene(patient, {
      mayIgnore: (fault, request) => fault === "conflict" && request.startsWith("update Secret"),
      requeueAfter: 60_000,
    }),
  );
  expect(writes).toHaveLength(2);
});
