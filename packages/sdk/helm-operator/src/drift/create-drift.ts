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
import { isAutoscaler, type RepairContext } from "./inspect.ts";
import { createMemory } from "./memory.ts";
import type { ManifestObject } from "./parse-manifest.ts";
import { type Repair, referenceTo } from "./repair.ts";
import { type Attempt, keyOf, repairObject } from "./repair-object.ts";
import { createSchemas } from "./schema.ts";
import type { ReleaseKey } from "./wanted.ts";

/** What a {@link Drift} works with. */
export interface DriftOptions {
  /** Writes objects. Its scheme knows the kinds that `mapper` finds. */
  readonly client: Client;
  /** Reads the server's schemas, and reads an object once more before it is written. */
  readonly connection: Connection;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  /** Reads objects, from a cache if there is one. Default: `client`. */
  readonly reader?: Reader;
  readonly clock?: Pick<Clock, "steady">;
  /** Gets one warning for each missing permission. Default: none. */
  readonly log?: Pick<Logger, "warn">;
}

/** One release to repair. */
export interface RepairRequest {
  /** The objects of the deployed release's manifest. Hooks are left alone. */
  readonly objects: readonly ManifestObject[];
  /**
   * The objects of the previous manifest. Fields of built-in objects that only it has are removed. Default:
   * none; an upgrade removes them itself.
   */
  readonly previous?: readonly ManifestObject[];
  /** As the server has stored it. */
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps the objects of releases as their manifests say. It promises:
 *
 * - Where nothing differs, only the reader sends requests, besides one for the schemas of each group-version.
 * - Additions by other writers stay: fields, labels, and items of lists that the server merges item by item.
 * - What the server does not accept is sent once and not again.
 * - What another writer changes after each repair is repaired after pauses that double.
 */
export interface Drift {
  /**
   * Creates missing objects and resets changed fields, one object after the other.
   *
   * @returns what was done and what failed; nothing about objects that match
   * @throws the signal's reason when it aborts
   */
  repair(request: RepairRequest): Promise<Repair[]>;
  /**
   * Returns the milliseconds until the next repair would retry what the last one put off, even without a
   * change; undefined when nothing was put off.
   */
  reconsiderAfter(release: ReleaseKey): number | undefined;
  /** Forgets a release that was deleted. */
  forget(release: ReleaseKey): void;
}

/** Returns one Drift for all releases of a controller. It remembers schemas, and what the server rejects. */
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
  function reportForbidden({ group, plural }: Resource): void {
    const kind = [plural, group].filter(Boolean).join(".");
    if (missing.has(kind)) return;
    missing.add(kind);
    options.log?.warn(
      { resource: kind, verb: "list" },
      "Scaled replicas are left unchanged, because the operator may not list autoscalers: add an RBAC rule",
    );
  }

  return {
    async repair({ objects, previous = [], owner, release, signal }) {
      const notes = memory.begin(`${release.namespace}/${release.name}`);
      const context: RepairContext = {
        ...{ client, reader, server, mapper, schemas, clock, owner, release, signal },
        reportForbidden,
        isBuiltIn: ({ group }) => builtInGroups.has(group),
        autoscalers: objects.map(({ object }) => object).filter(isAutoscaler),
        ...{ recall: notes.recall, keep: notes.keep, contestOf: notes.contestOf },
      };
      const before = new Map(previous.map(({ object }) => [keyOf(object, release), object]));
      const repairs: Repair[] = [];
      for (const item of objects) {
        signal?.throwIfAborted();
        // An object whose name the server generates cannot be found again.
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
