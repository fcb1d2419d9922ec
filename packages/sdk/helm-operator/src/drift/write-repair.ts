import { ApiError, isInvalid, type KubeObject, type Resource } from "@operator-path/client";
import { type Client, mergeFrom } from "@operator-path/controller-runtime";
import type { JsonObject } from "../json.ts";
import { type CompareOptions, differences } from "./differences.ts";
import { merged } from "./merged.ts";
import { allowedReferences, type Ownership, ownershipPatch } from "./ownership.ts";
import { withoutAlternatives } from "./without-alternatives.ts";

/**
 * helm 4 applies server-side under this name. A field that we write under another one would be in conflict with the next
 * `helm upgrade` that changes it.
 */
export const helmsFieldManager = "helm";
/**
 * Owns what is not in the chart: ownership. Of the same name as helm, it would go with helm's next upgrade. And what had to
 * be patched: to change such a field, `helm upgrade` by hand needs --force-conflicts.
 */
export const ownFieldManager = "helm-operator";

/** What is wanted of an object, in the forms that it is needed in. */
export interface Wanted {
  readonly resource: Resource;
  /** As helm sends it. */
  readonly sent: KubeObject;
  /** As the server stores it. */
  readonly stored: JsonObject;
  /** The same of the previous manifest's object. */
  readonly previous: JsonObject | undefined;
}

/** Creates an object by applying it: with `create`, its fields would be another manager's than those that helm applies. */
export async function createAsHelm(
  client: Client,
  sent: KubeObject,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  try {
    return await applyAsHelm(client, sent, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A variable that stands twice, say: server-side apply does not take it, and helm 3 has created it so.
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

/** What server-side apply cannot do is sometimes an internal error to the server. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 422, 500].includes(error.code);
}

/**
 * Brings an object back to what is wanted: by server-side apply, as helm does; by a merge patch where that does not do (an
 * alternative that somebody has chosen beside the chart's, a field that only the previous manifest has).
 *
 * @returns as it is stored now
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
  // Without a schema a list of a built-in kind could only be replaced as a whole, with what others have put into it.
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
  // Of an owner that was deleted and made again: an object has one controller, so the old one has to go in the same write.
  const others = references.filter(({ controller }) => controller !== true);
  if (wanted && references.some(({ controller, uid }) => controller === true && uid !== wanted.uid)) {
    const ownerReferences = [...others, wanted];
    const whole = { ...live, metadata: { ...live.metadata, ownerReferences } };
    return client.patch(whole, mergeFrom(live, { optimisticLock: true }), options);
  }
  return client.apply(ownershipPatch(resource, live, ownership), { ...options, force: true });
}
