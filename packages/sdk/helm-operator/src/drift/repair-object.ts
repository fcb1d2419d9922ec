import {
  ApiError,
  type Clock,
  horizontalPodAutoscalers,
  type KubeObject,
  type Resource,
} from "@operator-path/client";
import { type Client, ignoreNotFound, objectKeyOf, type Reader } from "@operator-path/controller-runtime";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import { isScaledBy, withReplicasOf } from "./autoscaling.ts";
import { type CompareOptions, type Difference, differences } from "./differences.ts";
import { type Remembered, signatureOf } from "./memory.ts";
import {
  ForeignObjectError,
  missingOwnership,
  type Ownership,
  ownershipOf,
  refuseForeign,
} from "./ownership.ts";
import type { ManifestObject } from "./parse-manifest.ts";
import { type Repair, referenceTo } from "./repair.ts";
import { anySchema } from "./schema.ts";
import type { Schemas } from "./schemas.ts";
import { asHelmSendsIt, asServerStoresIt, type ReleaseKey } from "./wanted.ts";
import { createAsHelm, type Wanted, writeContent, writeOwnership } from "./write-repair.ts";

export interface RepairContext {
  readonly client: Client;
  readonly reader: Reader;
  /** Past every cache. */
  readonly server: Reader;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  readonly schemas: Schemas;
  readonly clock: Pick<Clock, "steady">;
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal: AbortSignal | undefined;
  /** Of the same manifest. */
  readonly autoscalers: readonly KubeObject[];
  isBuiltIn(resource: Resource): boolean;
  recall(object: string): Remembered | undefined;
  keep(object: string, remembered: Remembered): void;
}

export interface Attempt extends ManifestObject {
  readonly previous: KubeObject | undefined;
}

/** Milliseconds after which what failed for good is tried again, and what was found out about the cluster found out anew. */
const reconsiderAfter = 600_000;

/** Repairs one object. Undefined: there was nothing to do, or nothing that the server would do. */
export async function repairObject(context: RepairContext, attempt: Attempt): Promise<Repair | undefined> {
  const { reader, server, mapper, owner, release, signal, clock } = context;
  const { object, template, keep } = attempt;
  const resource = await mapper.resourceFor(object);
  if (!resource) throw new UnservedKindError(object);
  const wanted = wantedOf(resource, attempt, release, context.isBuiltIn(resource));
  const { namespace } = objectKeyOf(wanted.sent);
  const ownership = ownershipOf(owner, { namespace, keep });
  const name = keyOf(object, release);
  const reference = referenceTo(wanted.sent);
  const told = (action: Repair["action"], fields: readonly string[] = []): Repair => ({
    ...{ object: reference, template, action, fields },
  });

  const cached = await find(reader, wanted, signal);
  if (cached) {
    const state = await inspect(context, wanted, cached, ownership);
    if (state.isSettled) return undefined;
    const known = recalled(state.signature);
    if (known) return known.failure;
  }
  // What was read may be older than what helm has written: nothing is changed, or reported, before it was looked at again.
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
    const failure: Repair = { ...told("failed"), error, retry: false };
    remember(live ? (await inspect(context, wanted, live, ownership)).signature : absent, failure);
    return failure;
  }

  async function create(): Promise<Repair> {
    const stored = await own(await createAsHelm(context.client, wanted.sent, signal));
    const after = await inspect(context, wanted, stored, ownership);
    if (!after.isSettled) remember(after.signature);
    return told("created");
  }

  async function change(found: KubeObject): Promise<Repair | undefined> {
    refuseForeign(found, owner, release);
    const state = await inspect(context, wanted, found, ownership, reconsiderAfter);
    const known = recalled(state.signature);
    if (state.isSettled || known) return known?.failure;
    const isScaled = await isAutoscaled(context, state, found);
    const { differences: before } = isScaled
      ? await inspect(context, asScaled(wanted, found), found, ownership)
      : state;
    const mine = isScaled || isScaledByChart(context, wanted) ? asScaled(wanted, found) : wanted;
    const { client } = context;
    const written =
      before.length > 0 ? await writeContent(client, mine, found, state.compared, signal) : found;
    const after = await inspect(context, wanted, await own(written), ownership);
    if (!after.isSettled) remember(after.signature, undefined, isScaled);
    const left = new Set(after.differences.map(({ path }) => path));
    const fields = before.map(({ path }) => path).filter((path) => !left.has(path));
    if (fields.length > 0) return told("patched", fields);
    return state.missing.length > 0 ? told("adopted", state.missing) : undefined;
  }

  async function own(stored: KubeObject): Promise<KubeObject> {
    if (missingOwnership(ownership, stored).length === 0) return stored;
    return writeOwnership(context.client, resource as Resource, stored, ownership, signal);
  }

  function recalled(signature: string): Remembered | undefined {
    const note = context.recall(name);
    if (note?.signature !== signature || clock.steady() > note.until) return undefined;
    context.keep(name, note);
    return note;
  }

  function remember(signature: string, failure?: Repair, isTemporary = failure !== undefined): void {
    const until = isTemporary ? clock.steady() + reconsiderAfter : Number.POSITIVE_INFINITY;
    context.keep(name, { signature, until, ...(failure ? { failure } : {}) });
  }
}

/** The signature of an object that is not there. */
const absent = "absent";

/** The object of a manifest, and of a previous one, is the same whatever version of its group it is written in. */
export function keyOf({ apiVersion = "", kind, metadata }: KubeObject, release: ReleaseKey): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return [group, kind, metadata?.namespace || release.namespace, metadata?.name].join("/");
}

/** The server does not serve an object's kind. */
export class UnservedKindError extends Error {
  override readonly name = "UnservedKindError";

  constructor({ apiVersion, kind }: KubeObject) {
    super(
      `no matches for kind "${kind}" in version "${apiVersion}": is its CustomResourceDefinition installed?`,
    );
  }
}

interface State {
  readonly wanted: Wanted;
  readonly differences: readonly Difference[];
  /** Of the ownership. */
  readonly missing: readonly string[];
  readonly signature: string;
  readonly isSettled: boolean;
  readonly compared: CompareOptions;
}

/** An object that is being deleted is as it should be: what is to be done about it is done when it has gone. */
async function inspect(
  context: RepairContext,
  wanted: Wanted,
  live: KubeObject,
  ownership: Ownership,
  maxAge?: number,
): Promise<State> {
  const { resource, previous } = wanted;
  const options = { signal: context.signal, ...(maxAge === undefined ? {} : { maxAge }) };
  const schema = (await context.schemas.schemaOf(resource, options)) ?? anySchema;
  const compared = { schema, isBuiltIn: context.isBuiltIn(resource) };
  const isGoing = live.metadata?.deletionTimestamp !== undefined;
  const { stored } = isScaledByChart(context, wanted) ? asScaled(wanted, live) : wanted;
  const found = isGoing ? [] : differences(stored, live, previous, compared);
  const missing = isGoing ? [] : missingOwnership(ownership, live);
  return {
    ...{ wanted, differences: found, missing, compared },
    signature: signatureOf([...found, ...missing.map((path) => ({ path, wanted: true, live: false }))]),
    isSettled: found.length + missing.length === 0,
  };
}

/** Whether the number of replicas differs because an autoscaler that is not in the chart has set it. */
async function isAutoscaled(
  { server, signal }: RepairContext,
  { wanted: { resource, sent }, differences }: State,
  live: KubeObject,
): Promise<boolean> {
  if (!differences.some(({ path }) => path === "spec.replicas")) return false;
  const { namespace } = objectKeyOf(live);
  const options = { namespace, ...(signal ? { signal } : {}) };
  const all = await server.list(horizontalPodAutoscalers, options).catch((error: unknown) => {
    // Who may not look is told nothing of autoscalers: the chart's own are known all the same.
    if (error instanceof ApiError && [403, 404].includes(error.code)) return [];
    throw error;
  });
  return all.some((autoscaler) => isScaledBy(autoscaler, resource, objectKeyOf(sent)));
}

function isScaledByChart({ autoscalers, release }: RepairContext, { resource, sent }: Wanted): boolean {
  return autoscalers.some((autoscaler) => {
    const namespace = autoscaler.metadata?.namespace || release.namespace;
    const placed = { ...autoscaler, metadata: { ...autoscaler.metadata, namespace } };
    return isScaledBy(placed, resource, objectKeyOf(sent));
  });
}

function asScaled({ sent, stored, ...rest }: Wanted, live: KubeObject): Wanted {
  return { ...rest, sent: withReplicasOf(sent, live), stored: withReplicasOf(stored, live) };
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
