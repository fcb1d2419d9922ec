import {
  type Clock,
  type Client as Connection,
  type KubeObject,
  type Resource,
  systemClock,
} from "@operator-path/client";
import {
  type Client,
  createObjectClient,
  createScheme,
  type Logger,
  type Reader,
} from "@operator-path/controller-runtime";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import { isAutoscaler } from "./autoscaling.ts";
import { createMemory } from "./memory.ts";
import type { ManifestObject } from "./parse-manifest.ts";
import { type Repair, referenceTo } from "./repair.ts";
import type { RepairContext } from "./repair-context.ts";
import { type Attempt, keyOf, repairObject } from "./repair-object.ts";
import { createSchemas } from "./schemas.ts";
import type { ReleaseKey } from "./wanted.ts";

export interface DriftOptions {
  /** Writes; its scheme knows what `mapper` finds. */
  readonly client: Client;
  /** For what the server tells of its kinds, and for looking at an object once more before it is written. */
  readonly connection: Connection;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  /** Where objects are read, a cache if there is one. Default: `client`. */
  readonly reader?: Reader;
  readonly clock?: Pick<Clock, "steady">;
  /** Is told once of what a rule is missing for. Default: nobody is. */
  readonly log?: Pick<Logger, "warn">;
}

export interface RepairRequest {
  /** Of the manifest of the release as it is deployed. Hooks are left alone. */
  readonly objects: readonly ManifestObject[];
  /**
   * Of the manifest before it: what only that one has of a built-in object is removed. Needed where that may not have
   * happened: an upgrade has removed it already.
   */
  readonly previous?: readonly ManifestObject[];
  /** As the server has stored it. */
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps the objects of releases as their manifests say.
 *
 * Promises: no request but the reader's where nothing differs (and one for each group-version the first time, for its
 * schemas); what others have added stays: fields, labels, items of lists that the server merges item by item; what the
 * server will not have otherwise is sent once and not again; what somebody else changes after each repair is repaired after
 * pauses that double.
 */
export interface Drift {
  /**
   * Creates what is missing, and brings back what differs, one object after the other.
   *
   * @returns what was done and what failed; nothing of objects that are as they should be
   * @throws the signal's reason when it aborts
   */
  repair(request: RepairRequest): Promise<Repair[]>;
  /**
   * Milliseconds after which the next repair would try again what the last one has left at that, though nothing has
   * changed. Undefined: there is no such thing.
   */
  reconsiderAfter(release: ReleaseKey): number | undefined;
  /** Of a release that is no more. */
  forget(release: ReleaseKey): void;
}

/** One for all the releases of a controller: it remembers schemas, and what a server will not take. */
export function createDrift(options: DriftOptions): Drift {
  const { client, connection, mapper, reader = client, clock = systemClock } = options;
  const server = createObjectClient(connection, { scheme: client.scheme });
  const schemas = createSchemas(connection, clock);
  const memory = createMemory();
  const builtInGroups = new Set(
    createScheme()
      .resources()
      .map(({ group }) => group),
  );

  const missing = new Set<string>();
  function mayNotList({ group, plural }: Resource): void {
    const kind = [plural, group].filter(Boolean).join(".");
    if (missing.has(kind)) return;
    missing.add(kind);
    options.log?.warn(
      { resource: kind, verb: "list" },
      "Replicas are left as somebody has scaled them, since autoscalers are forbidden to this operator: add a rule",
    );
  }

  return {
    async repair({ objects, previous = [], owner, release, signal }) {
      const notes = memory.begin(`${release.namespace}/${release.name}`);
      const context: RepairContext = {
        ...{ client, reader, server, mapper, schemas, clock, owner, release, signal },
        mayNotList,
        isBuiltIn: ({ group }) => builtInGroups.has(group),
        autoscalers: objects.map(({ object }) => object).filter(isAutoscaler),
        ...{ recall: notes.recall, keep: notes.keep, contestOf: notes.contestOf },
      };
      const before = new Map(previous.map(({ object }) => [keyOf(object, release), object]));
      const repairs: Repair[] = [];
      for (const item of objects) {
        signal?.throwIfAborted();
        // An object whose name the server chooses cannot be found again.
        if (item.hook || !item.object.metadata?.name) continue;
        const attempt: Attempt = { ...item, previous: before.get(keyOf(item.object, release)) };
        const repair = await repairObject(context, attempt).catch((error: unknown): Repair => {
          signal?.throwIfAborted();
          const failure = error instanceof Error ? error : new Error(String(error));
          const { object, template } = item;
          const parts = { object: referenceTo(object), template, fields: [], error: failure };
          return { ...parts, action: "failed", retry: true };
        });
        if (repair) repairs.push(repair);
      }
      notes.end();
      return repairs;
    },
    reconsiderAfter({ name, namespace }) {
      const now = clock.steady();
      const left = memory.firstUntil(`${namespace}/${name}`, now) - now;
      return Number.isFinite(left) ? Math.max(1, Math.ceil(left)) : undefined;
    },
    forget: ({ name, namespace }) => memory.forget(`${namespace}/${name}`),
  };
}
