import type { KubeObject, Resource } from "@operator-path/client";
import { isEqualJson } from "../../client/merge-patch.ts";
import type { ObjectKey } from "../../client/object-key.ts";
import { objectKeyOf } from "../../client/object-key.ts";
import { alreadyExists, badRequest, conflict, invalid, notFound } from "../../client/status-errors.ts";
import { checkDeletionTimestamp, checkFinalizers, checkVersion, noStatus, otherUid } from "./checks.ts";
import { fieldsOf } from "./field-set.ts";
import { allowsCreateOnUpdate, hasGeneration } from "./kinds.ts";
import { deepFreeze, isSameSpec, type Stored, timestamp, typed } from "./objects.ts";
import type { FakeClientOptions } from "./options.ts";
import { type ManagedFields, type Manager, type Ownership, ownedAfterUpdate } from "./ownership.ts";

export interface FakeStore {
  /**
   * Returns a frozen object.
   *
   * @throws ApiError NotFound
   */
  get(resource: Resource, key: ObjectKey): Stored;
  /** Returns the objects sorted by key. */
  list(resource: Resource): Stored[];
  create(resource: Resource, object: KubeObject, options: WriteContext): Stored;
  /** Writes only the given part: the status, or everything else. */
  update(resource: Resource, object: KubeObject, options: UpdateOptions): Stored;
  delete(resource: Resource, key: ObjectKey, dryRun: boolean): void;
  /** Returns a stored object with the owners of its fields, or undefined if it does not exist. */
  ownershipOf(resource: Resource, key: ObjectKey): { object: Stored; ownership: Ownership } | undefined;
  /**
   * Stores an object as it is.
   *
   * @throws TypeError when no server could have such an object
   */
  seed(resource: Resource, object: KubeObject): void;
  hasStatus(resource: Resource): boolean;
}

export interface WriteContext {
  dryRun: boolean;
  /** The field manager. Default "fake-client". */
  fieldManager?: string | undefined;
  /** The owners after the write. Default: the field manager owns what has changed. */
  ownership?: Ownership;
}

export interface UpdateOptions extends WriteContext {
  part: "status" | "main";
  /** Skips the version check, for patches. */
  unconditional?: boolean;
}

/** Characters of generated names, without vowels, so that they form no words. apimachinery: rand.String. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const longestBase = 58;
const firstVersion = 1000;

/** Stores objects in memory and does a server's bookkeeping: versions, names, generations, finalizers. */
export function createFakeStore(
  hasStatus: (resource: Resource) => boolean,
  { clock = Date, random = Math.random }: Pick<FakeClientOptions, "clock" | "random">,
): FakeStore {
  const tables = new Map<string, Map<string, Stored>>();
  /** Owners by object version, so that a dry run changes nothing. */
  const ownerships = new WeakMap<Stored, Ownership>();
  let version = firstVersion;

  function tableOf({ group, plural }: Resource): Map<string, Stored> {
    const key = `${group}/${plural}`;
    const table = tables.get(key) ?? new Map<string, Stored>();
    tables.set(key, table);
    return table;
  }

  const keyOf = (resource: Resource, { namespace = "", name }: ObjectKey) =>
    resource.namespaced ? `${namespace}/${name}` : name;

  function get(resource: Resource, key: ObjectKey): Stored {
    const found = tableOf(resource).get(keyOf(resource, key));
    if (!found) throw notFound(resource, key.name);
    return found;
  }

  function put(resource: Resource, object: KubeObject, dryRun: boolean): Stored {
    const stored = deepFreeze(structuredClone(typed(object, resource))) as Stored;
    if (!dryRun) tableOf(resource).set(keyOf(resource, objectKeyOf(stored)), stored);
    return stored;
  }

  /** Records the owners of a version. The owners of seeded objects are unknown until the first apply. */
  function own(
    stored: Stored,
    before: Stored | undefined,
    part: Manager["part"],
    context: WriteContext,
  ): Stored {
    const known = before ? ownerships.get(before) : [];
    if (context.ownership) ownerships.set(stored, context.ownership);
    else if (known) {
      const { apiVersion = "" } = stored;
      const manager: Manager = {
        name: context.fieldManager ?? "fake-client",
        operation: "Update",
        part,
        apiVersion,
      };
      const change = { before: fieldsOf(before ?? {}, "all"), after: fieldsOf(stored, "all") };
      ownerships.set(stored, ownedAfterUpdate(known, change, manager));
    }
    return stored;
  }

  const nextVersion = () => String(++version);
  const letters = (count: number) =>
    Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");

  function nameFor(resource: Resource, { metadata }: KubeObject): string {
    if (metadata?.name) return metadata.name;
    if (metadata?.generateName) return metadata.generateName.slice(0, longestBase) + letters(5);
    throw invalid(resource, "", "metadata.name", "Required value: name or generateName is required");
  }

  function uid(): string {
    const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5").slice(0, 36);
  }

  function create(resource: Resource, object: KubeObject, context: WriteContext): Stored {
    const { dryRun } = context;
    const name = nameFor(resource, object);
    if (object.metadata?.resourceVersion) {
      throw badRequest(resource, name, "resourceVersion should not be set on objects to be created");
    }
    if (tableOf(resource).has(keyOf(resource, { ...objectKeyOf(object), name }))) {
      throw alreadyExists(resource, name);
    }
    const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = object.metadata ?? {};
    const created = {
      ...object,
      metadata: {
        ...metadata,
        ...{ name, uid: uid(), creationTimestamp: timestamp(clock.now()) },
        // A dry run stores nothing, so it creates no version.
        ...(dryRun ? {} : { resourceVersion: nextVersion() }),
        ...(hasGeneration(resource) ? { generation: 1 } : {}),
      },
    };
    const { status: ___, ...withoutStatus } = created as KubeObject & { status?: unknown };
    const stored = put(resource, hasStatus(resource) ? withoutStatus : created, dryRun);
    return own(stored, undefined, "main", context);
  }

  return {
    get,
    hasStatus,
    list: (resource) =>
      [...tableOf(resource)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object),
    create,
    ownershipOf(resource, key) {
      const object = tableOf(resource).get(keyOf(resource, key));
      if (!object) return undefined;
      const name = "before-first-apply";
      const unknown: ManagedFields = {
        ...{ name, operation: "Update", part: "main", apiVersion: object.apiVersion ?? "" },
        fields: fieldsOf(object, "all"),
      };
      return { object, ownership: ownerships.get(object) ?? [unknown] };
    },
    update(resource, object, options) {
      const { part, dryRun, unconditional = false } = options;
      const key = objectKeyOf(object);
      const isThere = tableOf(resource).has(keyOf(resource, key));
      if (!isThere && part === "main" && allowsCreateOnUpdate(resource)) {
        const { resourceVersion: _, uid, ...metadata } = object.metadata ?? {};
        if (uid) throw conflict(resource, key.name, otherUid(uid, ""));
        return create(resource, { ...object, metadata }, options);
      }
      const old = get(resource, key);
      if (part === "status" && !hasStatus(resource)) throw noStatus(resource, key.name);
      if (part === "main") checkDeletionTimestamp(resource, object, old);
      checkVersion(resource, object, old, unconditional);
      const wanted = merged(resource, part, object, old);
      checkFinalizers(resource, wanted, old);
      if (isEqualJson(wanted, old)) return dryRun || !options.ownership ? old : own(old, old, part, options);
      const generation = old.metadata.generation;
      const { deletionTimestamp, finalizers = [] } = wanted.metadata;
      const isDeleted = deletionTimestamp !== undefined && finalizers.length === 0;
      const metadata = {
        ...wanted.metadata,
        // A server answers a final deletion with the last stored version.
        ...(isDeleted || dryRun ? {} : { resourceVersion: nextVersion() }),
        ...(generation !== undefined && !isSameSpec(wanted, old, hasStatus(resource))
          ? { generation: generation + 1 }
          : {}),
      };
      const stored = own(put(resource, { ...wanted, metadata }, dryRun), old, part, options);
      if (isDeleted && !dryRun) tableOf(resource).delete(keyOf(resource, key));
      return stored;
    },
    delete(resource, key, dryRun) {
      const old = get(resource, key);
      const { finalizers = [], deletionTimestamp } = old.metadata;
      if (dryRun || (deletionTimestamp && finalizers.length > 0)) return;
      if (finalizers.length === 0) {
        tableOf(resource).delete(keyOf(resource, key));
        version++;
        return;
      }
      const { generation } = old.metadata;
      const metadata = {
        ...old.metadata,
        ...{ deletionTimestamp: timestamp(clock.now()), deletionGracePeriodSeconds: 0 },
        ...(generation === undefined ? {} : { generation: generation + 1 }),
        resourceVersion: nextVersion(),
      };
      own(put(resource, { ...old, metadata }, false), old, "main", { dryRun: false });
    },
    seed(resource, object) {
      const name = nameFor(resource, object);
      const { deletionTimestamp, finalizers = [] } = object.metadata ?? {};
      if (deletionTimestamp && finalizers.length === 0) {
        throw new TypeError(
          `refusing to create obj ${name} with metadata.deletionTimestamp but no finalizers: no server could have such an object`,
        );
      }
      const defaults = {
        uid: uid(),
        resourceVersion: nextVersion(),
        creationTimestamp: timestamp(clock.now()),
        ...(hasGeneration(resource) ? { generation: 1 } : {}),
      };
      put(resource, { ...object, metadata: { ...defaults, ...object.metadata, name } }, false);
    },
  };

  /**
   * Returns the object after an update. The other part, and fields that only a server sets, stay unchanged.
   */
  function merged(resource: Resource, part: "status" | "main", object: KubeObject, old: Stored): Stored {
    const from = structuredClone(typed(object, resource)) as Stored;
    if (part === "status") return { ...old, status: from.status };
    const { uid, resourceVersion, creationTimestamp, generation, deletionTimestamp } = old.metadata;
    const { deletionGracePeriodSeconds } = old.metadata;
    const system = { uid, resourceVersion, creationTimestamp, generation, deletionTimestamp };
    const metadata = { ...from.metadata, ...system, deletionGracePeriodSeconds };
    const main = { ...from, metadata };
    return hasStatus(resource) ? { ...main, status: old.status } : main;
  }
}
