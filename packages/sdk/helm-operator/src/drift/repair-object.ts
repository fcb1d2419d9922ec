import { ApiError, type KubeObject, type Resource } from "@operator-path/client";
import { ignoreNotFound, objectKeyOf, type Reader } from "@operator-path/controller-runtime";
import { groupOf } from "../resources/resource-mapper.ts";
import type { Pause } from "./contest.ts";
import type { Difference } from "./differences.ts";
import { fieldManagersOf } from "./field-managers.ts";
import { asScaled, inspect, isAutoscaled, isScaledByChart, type RepairContext } from "./inspect.ts";
import { type Remembered, signatureOf } from "./memory.ts";
import { ForeignObjectError, missingOwnership, ownershipOf, refuseForeign } from "./ownership.ts";
import type { ManifestObject } from "./parse-manifest.ts";
import { type Repair, referenceTo } from "./repair.ts";
import { asHelmSendsIt, asServerStoresIt, type ReleaseKey, type Wanted } from "./wanted.ts";
import {
  createAsHelm,
  helmsFieldManager,
  ownFieldManager,
  writeContent,
  writeOwnership,
} from "./write-repair.ts";

/** An object to repair, with the same object of the previous manifest. */
export interface Attempt extends ManifestObject {
  readonly previous: KubeObject | undefined;
}

/** Milliseconds until a permanent failure is tried again, and the highest age of a schema before a write. */
const reconsiderAfter = 600_000;

/** The signature of a missing object. */
const absent = "absent";

/** Repairs one object. Returns undefined when there is nothing to do, or nothing that the server would do. */
export async function repairObject(context: RepairContext, attempt: Attempt): Promise<Repair | undefined> {
  const { reader, server, mapper, owner, release, signal, clock } = context;
  const { object, template, keep } = attempt;
  const resource = await mapper.resourceFor(object);
  if (!resource) throw new UnservedKindError(object);
  const wanted = wantedOf(resource, attempt, release, context.isBuiltIn(resource));
  const { namespace } = objectKeyOf(wanted.sent);
  const ownership = ownershipOf(owner, { namespace, keep });
  const name = keyOf(object, release);
  const contest = context.contestOf(name);
  const reference = referenceTo(wanted.sent);
  const repaired = (action: Repair["action"], fields: readonly string[] = []): Repair => ({
    ...{ object: reference, template, action, fields },
  });

  const cached = await find(reader, wanted, signal);
  if (cached) {
    const state = await inspect(context, wanted, cached, ownership);
    if (state.isSettled) return settled();
    const known = recalled(state.signature);
    if (known) return known.failure;
  }
  // The cache may be older than helm's last write. Read again before anything is changed or reported.
  const live = await find(server, wanted, signal);
  if (live?.metadata?.deletionTimestamp) return undefined;
  const knownAbsent = live ? undefined : recalled(absent);
  if (knownAbsent) return knownAbsent.failure;
  try {
    if (!live) return await create();
    return await change(live);
  } catch (error) {
    const isFinal =
      error instanceof ForeignObjectError || (error instanceof ApiError && [400, 422].includes(error.code));
    if (!isFinal) throw error;
    const failure: Repair = { ...repaired("failed"), error, retry: false };
    remember(live ? (await inspect(context, wanted, live, ownership)).signature : absent, failure);
    return failure;
  }

  async function create(): Promise<Repair | undefined> {
    const pause = contest.differs([absent], clock.steady());
    if (pause) return contested([], [], pause);
    const stored = await own(await createAsHelm(context.client, wanted.sent, signal));
    const after = await inspect(context, wanted, stored, ownership);
    contest.repaired([absent], clock.steady());
    if (!after.isSettled) remember(after.signature);
    return repaired("created");
  }

  async function change(found: KubeObject): Promise<Repair | undefined> {
    refuseForeign(found, owner, release);
    const state = await inspect(context, wanted, found, ownership, reconsiderAfter);
    const known = recalled(state.signature);
    if (state.isSettled) return settled();
    if (known) return known.failure;
    const isScaled = await isAutoscaled(context, state, found);
    const { differences: before } = isScaled
      ? await inspect(context, asScaled(wanted, found), found, ownership)
      : state;
    const fields = [...before, ...state.missing.map((path) => ({ path, wanted: true }))];
    const pause = contest.differs(fields.map(fieldOf), clock.steady());
    if (pause) {
      const paths = fields.map(({ path }) => path);
      return contested(paths, fieldManagersOf(found, paths, [helmsFieldManager, ownFieldManager]), pause);
    }
    const mine = isScaled || isScaledByChart(context, wanted) ? asScaled(wanted, found) : wanted;
    const { client } = context;
    const written =
      before.length > 0 ? await writeContent(client, mine, found, state.compared, signal) : found;
    const after = await inspect(context, wanted, await own(written), ownership);
    contest.repaired(fields.map(fieldOf), clock.steady());
    if (!after.isSettled) remember(after.signature, undefined, isScaled);
    const left = new Set(after.differences.map(({ path }) => path));
    const set = before.map(({ path }) => path).filter((path) => !left.has(path));
    if (set.length > 0) return repaired("patched", set);
    return state.missing.length > 0 ? repaired("adopted", state.missing) : undefined;
  }

  function settled(): undefined {
    contest.settled();
  }

  function contested(
    fields: readonly string[],
    others: readonly string[],
    { milliseconds: pause, isNew }: Pause,
  ): Repair | undefined {
    return isNew ? { ...repaired("contested", fields), others, pause } : undefined;
  }

  async function own(stored: KubeObject): Promise<KubeObject> {
    if (missingOwnership(ownership, stored).length === 0) return stored;
    return writeOwnership(context.client, resource as Resource, stored, ownership, signal);
  }

  function recalled(signature: string): Remembered | undefined {
    const note = context.recall(name);
    if (note?.signature !== signature || clock.steady() >= note.until) return undefined;
    context.keep(name, note);
    return note;
  }

  function remember(signature: string, failure?: Repair, isTemporary = failure !== undefined): void {
    const until = isTemporary ? clock.steady() + reconsiderAfter : Number.POSITIVE_INFINITY;
    context.keep(name, { signature, until, ...(failure ? { failure } : {}) });
  }
}

/** Returns a text that stands for a field and its wanted value. */
function fieldOf({ path, wanted }: Pick<Difference, "path" | "wanted">): string {
  return signatureOf([{ path, wanted, live: undefined }]);
}

/** Returns the key of an object. It is the same in two manifests that use different versions of its group. */
export function keyOf({ apiVersion = "", kind, metadata }: KubeObject, release: ReleaseKey): string {
  return [groupOf(apiVersion), kind, metadata?.namespace || release.namespace, metadata?.name].join("/");
}

/** The server does not serve the kind of an object. */
export class UnservedKindError extends Error {
  override readonly name = "UnservedKindError";

  constructor({ apiVersion, kind }: KubeObject) {
    super(
      `no matches for kind "${kind}" in version "${apiVersion}": is its CustomResourceDefinition installed?`,
    );
  }
}

function wantedOf(
  resource: Resource,
  { object, previous }: Attempt,
  release: ReleaseKey,
  isBuiltIn: boolean,
): Wanted {
  const sent = asHelmSendsIt(object, release, resource);
  const old = previous && isBuiltIn ? asHelmSendsIt(previous, release, resource) : undefined;
  return {
    ...{ resource, sent },
    stored: asServerStoresIt(sent, resource),
    previous: old && asServerStoresIt(old, resource),
  };
}

async function find(
  reader: Reader,
  { resource, sent }: Wanted,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  return reader.get(resource, objectKeyOf(sent), signal ? { signal } : {}).catch(ignoreNotFound);
}
