import type { Status } from "../../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import type { AdmissionAttributes } from "../admission.ts";
import { WebhookCallError } from "./errors.ts";

/** The resource in the version of the matched rule. */
export interface Match {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

/** The objects that a webhook receives, in the version of its rule. */
export interface ReviewedObjects {
  object: ApiObject | undefined;
  old: ApiObject | undefined;
}

/** A validated admission/v1 AdmissionResponse. */
export interface ReviewResponse {
  allowed: boolean;
  /** Decoded. Undefined without a patch. */
  patch: string | undefined;
  patchType: string;
  result: Partial<Status> | undefined;
  warnings: string[];
}

/**
 * The response is not an AdmissionReview for this request. The message follows "received invalid webhook
 * response: ".
 */
export class InvalidReviewError extends Error {
  override readonly name = "InvalidReviewError";
}

const group = "admission.k8s.io";

/** Returns the first version that a webhook accepts and the server supports, or undefined. */
export function reviewVersion(accepted: readonly string[]): "v1" | "v1beta1" | undefined {
  return accepted.find((version) => version === "v1" || version === "v1beta1") as
    | "v1"
    | "v1beta1"
    | undefined;
}

/** Returns an AdmissionReview with its request (CreateV1AdmissionReview of k8s.io/apiserver). */
export function createReview(
  uid: string,
  version: string,
  attributes: AdmissionAttributes,
  { resource, kind }: Match,
  { object, old }: ReviewedObjects,
): JsonObject {
  const { subresource, user, name, namespace } = attributes;
  const requested = requestedResource(attributes);
  return {
    kind: "AdmissionReview",
    apiVersion: `${group}/${version}`,
    request: {
      uid,
      kind: { ...kind },
      resource: { ...resource },
      ...(subresource === "" ? {} : { subResource: subresource }),
      requestKind: { ...requested.kind },
      requestResource: { ...requested.resource },
      ...(subresource === "" ? {} : { requestSubResource: subresource }),
      ...(name === "" ? {} : { name }),
      ...(namespace === "" ? {} : { namespace }),
      operation: attributes.operation,
      userInfo: {
        username: user.username,
        ...(user.uid ? { uid: user.uid } : {}),
        ...(user.groups.length === 0 ? {} : { groups: user.groups }),
        ...(user.extra === undefined ? {} : { extra: user.extra }),
      },
      object: object === undefined ? null : withoutEmptyMetadata(object),
      oldObject: old ?? null,
      dryRun: attributes.dryRun,
      options: attributes.operation === "CONNECT" ? null : attributes.options,
    },
  };
}

/** Removes empty metadata. The options of a CONNECT are objects without metadata. */
function withoutEmptyMetadata(object: ApiObject): JsonObject {
  if (Object.keys(object.metadata ?? {}).length > 0) return object;
  const { metadata: _none, ...rest } = object;
  return rest;
}

/** Returns the requested group-version-kind and group-version-resource in the form of reviews. */
export function requestedResource({ type, subresource }: AdmissionAttributes): Match {
  const { group, version, plural } = type;
  const sub = subresource === "" ? undefined : type.subresourceTypes.find(({ name }) => name === subresource);
  const { kind } = sub ?? type;
  const of = sub ?? type;
  return {
    resource: { group, version, resource: plural },
    kind: { group: of.group, version: of.version, kind },
  };
}

/**
 * Parses the response of a webhook (VerifyAdmissionResponse). @throws InvalidReviewError, WebhookCallError
 */
export function readReview(answer: unknown, uid: string, version: string, mutating: boolean): ReviewResponse {
  const review = isJsonObject(answer) ? answer : {};
  const { response, apiVersion, kind } = review;
  if (kind && apiVersion && (kind !== "AdmissionReview" || !String(apiVersion).startsWith(`${group}/`))) {
    throw new WebhookCallError(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (!isJsonObject(response)) throw new InvalidReviewError("webhook response was absent");
  const patch = typeof response.patch === "string" && response.patch !== "" ? response.patch : undefined;
  const patchType = typeof response.patchType === "string" ? response.patchType : undefined;
  if (version === "v1") checkV1(review, response, uid, mutating, patch, patchType);
  return {
    allowed: response.allowed === true,
    patch: !mutating || patch === undefined ? undefined : Buffer.from(patch, "base64").toString(),
    patchType: version === "v1" ? (patchType ?? "") : "JSONPatch",
    result: isJsonObject(response.status) ? (response.status as Partial<Status>) : undefined,
    warnings: Array.isArray(response.warnings) ? response.warnings.map(String) : [],
  };
}

/** Checks the requirements of v1, which v1beta1 does not have. */
function checkV1(
  review: JsonObject,
  response: JsonObject,
  uid: string,
  mutating: boolean,
  patch: string | undefined,
  patchType: string | undefined,
): void {
  const fail = (why: string) => new InvalidReviewError(why);
  if (response.uid !== uid) {
    throw fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? "")}`);
  }
  const { apiVersion = "", kind = "" } = review;
  if (apiVersion !== `${group}/v1` || kind !== "AdmissionReview") {
    const got = apiVersion === "" ? "/" : String(apiVersion);
    throw fail(
      `expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${got}, Kind=${String(kind)}`,
    );
  }
  if (!mutating) {
    if (patch !== undefined) throw fail("validating webhook may not return response.patch");
    if (patchType !== undefined) throw fail("validating webhook may not return response.patchType");
    return;
  }
  if (patch !== undefined && patchType === undefined) {
    throw fail("webhook returned response.patch but not response.patchType");
  }
  if (patch === undefined && patchType !== undefined) {
    throw fail("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") throw fail('webhook returned invalid response.patchType of ""');
}
