import {
  type Clock,
  createClientOn,
  events,
  type Frozen,
  type KubeObject,
  type PatchType,
  type Pod,
  pods,
  systemClock,
  type Transport,
} from "@operator-path/client";
import {
  type Client,
  createScheme,
  type ReconcileFunction,
  rawPatch,
} from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import type { EventRecorder, Lister } from "@operator-path/informers";
import { createPatience } from "../../podbuggertool/src/patience.ts";
import { createReconciler } from "../../podbuggertool/src/reconcile.ts";
import { type Podbuggertool, podbuggertools } from "../../podbuggertool/src/types.ts";
import { createPatience as createPatienceOnRuntime } from "../../podbuggertool-on-controller-runtime/src/patience.ts";
import { createReconciler as createReconcilerOnRuntime } from "../../podbuggertool-on-controller-runtime/src/reconcile.ts";

/** A reconciler of PodBuggerTool on a fake client. */
export type CreateOnFake = (client: Client, recorder: EventRecorder, clock?: Clock) => ReconcileFunction;

export function createFakeCluster(objects: readonly KubeObject[]): Client {
  const fieldOf = (event: KubeObject, field: string) =>
    String(
      field.split(".").reduce((value: unknown, key) => (value as Record<string, unknown>)?.[key], event),
    );
  return createFakeClient({
    scheme: createScheme(podbuggertools),
    objects,
    statusSubresources: [podbuggertools],
    indexes: ["involvedObject.uid", "reason"].map((field) => ({
      ...{ resource: events, field, index: (event) => [fieldOf(event, field)] },
    })),
  });
}

/** Pages 1 and 2. The reconciler's requests are answered from the fake client, and so are its listers. */
export const createOnInformers: CreateOnFake = (client, recorder, clock = systemClock) => {
  const cached: { pods: Pod[]; tools: Podbuggertool[] } = { pods: [], tools: [] };
  const reconcile = createReconciler({
    client: createClientOn(createTransportOn(client)),
    podLister: createListerOf(() => cached.pods),
    toolLister: createListerOf(() => cached.tools),
    recorder,
    patience: createPatience(clock),
  });
  return async ({ namespace, name }) => {
    cached.pods = await client.list(pods);
    cached.tools = await client.list(podbuggertools);
    return reconcile(`${namespace}/${name}`);
  };
};

/** Page 3. */
export const createOnRuntime: CreateOnFake = (client, recorder, clock = systemClock) =>
  createReconcilerOnRuntime({
    ...{ client, apiReader: client, recorder },
    patience: createPatienceOnRuntime(clock),
  });

function createListerOf<T extends KubeObject>(objects: () => T[]): Lister<T> {
  const all = () => objects() as Frozen<T>[];
  const inNamespace = (namespace: string) => () =>
    all().filter(({ metadata }) => namespace === "" || metadata?.namespace === namespace);
  const get = (key: string) =>
    all().find(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === key);
  return {
    ...{ list: all, get },
    namespace: (namespace) => ({ list: inNamespace(namespace), get: (name) => get(`${namespace}/${name}`) }),
  };
}

/** Answers the requests that the reconciler of page 1 sends: patches of subresources, and lists of Events. */
function createTransportOn(client: Client): Transport {
  const types: Record<string, PatchType> = {
    "application/merge-patch+json": "merge",
    "application/strategic-merge-patch+json": "strategic",
  };
  return {
    async request({ method, path, query, headers, body }) {
      const [, namespace = "", plural, name = "", subresource = ""] =
        /namespaces\/([^/]+)\/([^/]+)\/?([^/]*)\/?(.*)$/.exec(path) ?? [];
      const resource = client.scheme.resources().find((known) => known.plural === plural);
      if (!resource) throw new Error(`this transport does not know ${path}`);
      const { group, version, kind } = resource;
      const object = {
        ...{ apiVersion: group ? `${group}/${version}` : version, kind, metadata: { namespace, name } },
      };
      const answer = async (): Promise<unknown> => {
        if (method === "PATCH" && subresource) {
          const type = types[headers?.["content-type"] ?? ""];
          if (!type) throw new Error(`this transport does not know a patch of ${headers?.["content-type"]}`);
          return client.subResource(subresource).patch(object, rawPatch(type, body as object));
        }
        if (method === "GET" && !name) {
          const selected = `${query?.fieldSelector}`.split(",").map((term) => term.split("="));
          return { items: await client.list(resource, { namespace, fields: Object.fromEntries(selected) }) };
        }
        throw new Error(`this transport does not know ${method} ${path}`);
      };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(await answer())) };
    },
    stream: () => Promise.reject(new Error("this transport has no watches")),
    close: () => Promise.resolve(),
  };
}

/**
 * Stores Events in the cluster when it is flushed, and never counts: a repeated Event is stored again. It stores only
 * the Events that the operator reads.
 */
export function createRecorderOn(cluster: Client): EventRecorder & { readonly said: string[] } {
  const said: string[] = [];
  const waiting: KubeObject[] = [];
  return {
    said,
    event({ apiVersion, kind, metadata }, type, reason, message) {
      const { namespace = "", name = "", uid } = metadata ?? {};
      said.push(`${type} ${reason} ${name}: ${message}`);
      if (reason !== "ToolRemoved") return;
      const involvedObject = { apiVersion, kind, namespace, name, uid };
      const count = said.filter((each) => each.startsWith(`${type} ${reason} ${name}:`)).length;
      const event = { apiVersion: "v1", kind: "Event", involvedObject, type, reason, message };
      waiting.push({ ...event, metadata: { namespace, name: `${name}.${count}` } } as KubeObject);
    },
    async flush() {
      // As over a network: not within the same turn.
      await new Promise((resolve) => setImmediate(resolve));
      for (const event of waiting.splice(0)) await cluster.create(event);
    },
  };
}
