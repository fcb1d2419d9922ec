import { ApiError, isInvalid, type KubeObject, type Resource } from "@operator-path/client";
import { type Client, mergeFrom } from "@operator-path/controller-runtime";
import type { JsonObject } from "../json.ts";
import { type CompareOptions, differences } from "./differences.ts";
import { merged, withoutAlternatives } from "./merged.ts";
import { allowedReferences, type Ownership, ownershipPatch } from "./ownership.ts";
import type { Wanted } from "./wanted.ts";

/**
 * helm 4 applies server-side under this name. A field that we wrote under another name would conflict with
 * the next `helm upgrade` that changes it.
 */
export const helmsFieldManager = "helm";

/**
 * Manages the ownership fields, which are not in the chart: under helm's name, helm's next upgrade would
 * remove them. Also manages fields that had to be patched: a manual `helm upgrade` that changes one needs
 * --force-conflicts.
 */
export const ownFieldManager = "helm-operator";

/**
 * Creates an object by applying it: with `create`, its fields would belong to another manager than helm's.
 */
export async function createAsHelm(
  client: Client,
  sent: KubeObject,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  try {
    return await applyAsHelm(client, sent, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Server-side apply rejects a duplicate variable, for example, with which helm 3 has created the object.
    const options = { fieldManager: helmsFieldManager, ...(signal ? { signal } : {}) };
    return client.create(sent, options);
  }
}

async function applyAsHelm(
  client: Client,
  sent: KubeObject,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  return client.apply(sent, { fieldManager: helmsFieldManager, force: true, ...(signal ? { signal } : {}) });
}

/** The server reports some of what server-side apply cannot do as an internal error. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 422, 500].includes(error.code);
}

/**
 * Resets an object by server-side apply, as helm does. Uses a merge patch where that is not enough: for an
 * alternative that another writer has chosen, or a field that only the previous manifest has.
 *
 * @returns the object as stored now
 */
export async function writeContent(
  client: Client,
  { sent, stored, previous }: Wanted,
  live: KubeObject,
  options: CompareOptions,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  let refusal: ApiError | undefined;
  const applied = await applyAsHelm(client, sent, signal).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    refusal = error;
    return live;
  });
  const left = differences(stored, applied, previous, options);
  if (!refusal && !left.some(({ wanted }) => wanted === undefined)) return applied;
  // Without a schema, a list of a built-in kind could only be replaced as a whole, with other writers' items.
  if (refusal && options.isBuiltIn && options.schema.type === "any") throw refusal;
  const whole = merged(stored, applied as JsonObject, previous, options);
  const patch = async (object: KubeObject) =>
    client.patch(object, mergeFrom(applied, { optimisticLock: true }), {
      fieldManager: ownFieldManager,
      ...(signal ? { signal } : {}),
    });
  try {
    return await patch(whole);
  } catch (error) {
    if (!isInvalid(error)) throw error;
    const left = withoutAlternatives(whole, stored, (error as ApiError).status, options.schema);
    if (!left) throw error;
    return await patch(left);
  }
}

/** Adds the owner reference, or the annotations in its place. */
export async function writeOwnership(
  client: Client,
  resource: Resource,
  live: KubeObject,
  ownership: Ownership,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  const options = { fieldManager: ownFieldManager, ...(signal ? { signal } : {}) };
  const [wanted] = ownership.ownerReferences ?? [];
  const references = live.metadata?.ownerReferences ?? [];
  const allowed = allowedReferences(ownership, live);
  if (allowed.length < references.length) {
    const annotations = { ...live.metadata?.annotations, ...ownership.annotations };
    const whole = { ...live, metadata: { ...live.metadata, annotations, ownerReferences: allowed } };
    return client.patch(whole, mergeFrom(live, { optimisticLock: true }), options);
  }
  // The owner was created again. An object has only one controller, so replace the old one in one write.
  const others = references.filter(({ controller }) => controller !== true);
  if (wanted && references.some(({ controller, uid }) => controller === true && uid !== wanted.uid)) {
    const ownerReferences = [...others, wanted];
    const whole = { ...live, metadata: { ...live.metadata, ownerReferences } };
    return client.patch(whole, mergeFrom(live, { optimisticLock: true }), options);
  }
  return client.apply(ownershipPatch(resource, live, ownership), { ...options, force: true });
}
