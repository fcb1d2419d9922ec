import { type Client, createClientOn, type TransportRequest } from "@operator-path/client";

/** An API server in this process that sends changes as fast as they are asked for. It remembers none. */
export interface BusyCluster {
  readonly client: Client;
  /** Changes objects once each. Objects are updated, have Events, and are replaced by others of the same name. */
  change(count: number): void;
  /** Changes one object, whose name says so. */
  mark(name: string): void;
}

const objects = 100;
/** Of so many changes of an object, one replaces it. */
const life = 20;
const text = "x".repeat(1000);
const ok = { status: 200, headers: {} };
const resource = { namespaced: true, verbs: ["list", "watch"] };
const discovery: Readonly<Record<string, object>> = {
  "/apis": { groups: [] },
  "/api/v1": { resources: [{ ...resource, name: "configmaps", kind: "ConfigMap" }] },
};

export function createBusyCluster(): BusyCluster {
  const watches = new Map<string, Set<(line: string) => void>>();
  let revision = 1;
  let changes = 0;

  function send(plural: string, type: string, object: object): void {
    const line = `${JSON.stringify({ type, object })}\n`;
    for (const watch of watches.get(plural) ?? []) watch(line);
  }

  async function* watch({ path, query, signal }: TransportRequest): AsyncGenerator<Uint8Array, void> {
    const plural = path.slice(path.lastIndexOf("/") + 1);
    let lines: string[] = [];
    let wake = () => {};
    const push = (line: string) => {
      lines.push(line);
      wake();
    };
    const own = watches.get(plural) ?? new Set();
    watches.set(plural, own.add(push));
    signal?.addEventListener("abort", () => wake());
    if (query?.sendInitialEvents)
      push(`${JSON.stringify({ type: "BOOKMARK", object: endOfList(revision) })}\n`);
    try {
      while (!signal?.aborted) {
        const sent = lines.join("");
        lines = [];
        if (sent) yield Buffer.from(sent);
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      own.delete(push);
    }
  }

  function metadataOf(name: string, uid: string) {
    const time = new Date().toISOString();
    const entry = {
      manager: "shop-operator",
      operation: "Update",
      time,
      fieldsV1: { "f:data": { "f:n": {} } },
    };
    const resourceVersion = `${++revision}`;
    return { name, namespace: "shop", uid, resourceVersion, creationTimestamp: time, managedFields: [entry] };
  }

  function eventOf(name: string, uid: string, count: number) {
    const metadata = metadataOf(`${name}.event`, `${uid}-event`);
    const involvedObject = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name, uid };
    const words = { type: "Normal", reason: "Changed", message: "it has changed", count };
    return { metadata, involvedObject, ...words, source: { component: "shop-operator" } };
  }

  function changeOne(): void {
    const name = `settings-${changes % objects}`;
    const turn = Math.floor(changes++ / objects);
    const uid = `${name}-${Math.floor(turn / life)}`;
    const age = turn % life;
    const object = () => ({ metadata: metadataOf(name, uid), data: { text, n: `${turn}` } });
    if (age === life - 1) {
      send("configmaps", "DELETED", object());
      send("events", "DELETED", eventOf(name, uid, 1));
    } else if (age === 0) send("configmaps", "ADDED", object());
    else if (age % 4 === 1) send("events", age === 1 ? "ADDED" : "MODIFIED", eventOf(name, uid, age));
    else send("configmaps", "MODIFIED", object());
  }

  return {
    client: createClientOn({
      request: async ({ path }) => ({ ...ok, body: Buffer.from(JSON.stringify(discovery[path])) }),
      stream: async (request) => ({ ...ok, body: watch(request) }),
      async close() {},
    }),
    change(count) {
      for (let n = 0; n < count; n++) changeOne();
    },
    mark(name) {
      send("configmaps", "ADDED", { metadata: metadataOf(name, name) });
      send("configmaps", "DELETED", { metadata: metadataOf(name, name) });
    },
  };
}

/** The bookmark after the objects that exist. */
function endOfList(revision: number): object {
  const annotations = { "k8s.io/initial-events-end": "true" };
  return { metadata: { resourceVersion: `${revision}`, annotations } };
}
