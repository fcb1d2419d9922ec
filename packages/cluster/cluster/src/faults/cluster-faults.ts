import type { ObservedRequest } from "@operator-path/apiserver";
import { isComponent } from "../components.ts";

/** A verb on a resource, as a Role names it. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/ephemeralcontainers`. */
  readonly resource: string;
}

/** What an operator noticed of a fault. `at` is in milliseconds since the epoch. */
export type FaultEvent = FaultFacts & {
  readonly at: number;
  /** The operator's user agent. */
  readonly client: string;
};

/** What happened, by type. */
export type FaultFacts =
  | { readonly type: "watch-broken"; readonly path: string; readonly resource: string }
  /** The operator watches again, `after` ms later. Without a list, it has missed nothing. */
  | {
      readonly type: "watch-resumed";
      readonly path: string;
      readonly resource: string;
      /** The resourceVersion from which it goes on. "" begins with a list. */
      readonly resourceVersion: string;
      readonly after: number;
      /** Whether it listed the objects in between. */
      readonly listed: boolean;
    }
  | (Access & { readonly type: "refused"; readonly namespace: string; readonly name: string })
  /** A write that was refused before is no longer refused. */
  | (Access & { readonly type: "accepted"; readonly namespace: string; readonly name: string });

/**
 * Faults of an embedded cluster, for people who want to see what their operator makes of them. They act in the API
 * server, so the operator's code is untouched. Only operators notice them: requests of the cluster's components,
 * kubectl, helm and this project's pages are served as always.
 */
export interface ClusterFaults {
  /** Returns the number of open watches of operators. */
  watches(): Promise<number>;
  /** Breaks the connections of all open watches of operators. Returns their number. */
  breakWatches(): Promise<number>;
  /**
   * Refuses writes of operators with the 403 that RBAC would send, until `allow`.
   *
   * @param access default: all writes but those to Leases, Events and access reviews
   */
  refuse(access?: Access): Promise<void>;
  /** Ends what `refuse` began. Does nothing if nothing is refused. */
  allow(): Promise<void>;
  /** Returns what operators have written since the start, the latest first. At most 20 kinds of access. */
  writes(): Promise<readonly Access[]>;
  /** Calls back for each event. Returns a function that ends this. */
  subscribe(listener: (event: FaultEvent) => void): () => void;
}

/** The two places where the API server asks. */
export interface FaultHooks {
  onRequest(request: ObservedRequest): void;
  refuses(request: ObservedRequest, access: () => RequestedAccess): boolean;
}

/** The part of the API server's AccessAttributes that this needs. */
interface RequestedAccess {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

const people = /^(?:kubectl|Helm|operator-path-(?:ui|workbench))(?:\/|$)/;
const isWatch = /[?&]watch=(?:1|true)(?:&|$)/;
const writeVerbs = new Set(["create", "update", "patch", "delete", "deletecollection"]);
/** Without them, an operator would lose its Lease, or could not report what happens. */
const neverRefused = /^(?:leases|events|serviceaccounts\/token|.*reviews)$/;
const mostWrites = 20;

export function createClusterFaults(now: () => number): ClusterFaults & FaultHooks {
  const watches = new Set<ObservedRequest>();
  /** When a watch was broken, until it is open again, by client and path. */
  const broken = new Map<string, { readonly at: number; listed: boolean }>();
  const writes = new Map<string, Access>();
  const refusedBefore = new Set<string>();
  const listeners = new Set<(event: FaultEvent) => void>();
  let refused: "writes" | Access | undefined;

  function tell(request: ObservedRequest, facts: FaultFacts): void {
    const client = request.headers["user-agent"] ?? "";
    for (const listener of listeners) listener({ ...facts, at: now(), client });
  }

  function onRead(request: ObservedRequest): void {
    const key = keyOf(request);
    const before = broken.get(key);
    if (!isWatch.test(request.rawQuery)) {
      if (before) before.listed = true;
      return;
    }
    watches.add(request);
    request.signal.addEventListener("abort", () => watches.delete(request), { once: true });
    if (!before) return;
    broken.delete(key);
    const query = new URLSearchParams(request.rawQuery);
    const initial = query.get("sendInitialEvents") === "true";
    tell(request, {
      ...{ type: "watch-resumed", path: request.path, resource: resourceOf(request.path) },
      resourceVersion: query.get("resourceVersion") ?? "",
      ...{ after: now() - before.at, listed: before.listed || initial },
    });
  }

  return {
    onRequest(request) {
      if (request.method === "GET" && isOperator(request)) onRead(request);
    },
    refuses(request, read) {
      if (request.method === "GET" || !isOperator(request)) return false;
      const { verb, group = "", resource = "", subresource = "", namespace = "", name = "" } = read();
      const access = { verb, group, resource: subresource ? `${resource}/${subresource}` : resource };
      if (!writeVerbs.has(verb) || resource === "" || neverRefused.test(access.resource)) return false;
      const id = accessName(access);
      writes.delete(id);
      writes.set(id, access);
      const [oldest] = writes.keys();
      if (writes.size > mostWrites && oldest !== undefined) writes.delete(oldest);
      const refuse = refused === "writes" || (refused !== undefined && accessName(refused) === id);
      if (refuse) refusedBefore.add(id);
      if (refuse || refusedBefore.delete(id))
        tell(request, { type: refuse ? "refused" : "accepted", ...access, namespace, name });
      return refuse;
    },
    watches: async () => watches.size,
    async breakWatches() {
      const open = [...watches];
      for (const request of open) {
        broken.set(keyOf(request), { at: now(), listed: false });
        tell(request, { type: "watch-broken", path: request.path, resource: resourceOf(request.path) });
        request.disconnect();
      }
      return open.length;
    },
    async refuse(access) {
      refusedBefore.clear();
      refused = access ?? "writes";
    },
    async allow() {
      refused = undefined;
    },
    writes: async () => [...writes.values()].reverse(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns an access as people write it: `patch pods/status`, `create deployments.apps`. */
export function accessName({ verb, group, resource }: Access): string {
  return `${verb} ${group === "" ? resource : `${resource}.${group}`}`;
}

function isOperator({ headers }: ObservedRequest): boolean {
  const userAgent = headers["user-agent"] ?? "";
  return !isComponent(userAgent) && !people.test(userAgent);
}

function keyOf({ headers, path }: ObservedRequest): string {
  return `${headers["user-agent"] ?? ""} ${path}`;
}

/** Returns the resource of a collection's path. */
function resourceOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
