import { badRequest, conflict, invalid, notFound, type StatusCause } from "../../apimachinery/errors.ts";
import { invalid as invalidValue } from "../../apimachinery/validation/cause.ts";
import { timestamp } from "../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { writeAttributes } from "../../server/admission/attributes.ts";
import type { Admission } from "../../server/admission/chain.ts";
import { issuer, type ObjectName } from "../../server/auth/service-account-claims.ts";
import type { TokenAuthenticator } from "../../server/auth/tokens.ts";
import { find } from "../../server/endpoints/get.ts";
import { jsonReply, type WholeReply } from "../../server/http/reply.ts";
import { decodeBody } from "../../server/registry/decode-body.ts";
import type { TrackingContext } from "../../server/registry/field-tracking.ts";
import { admitTracked, trackCreate } from "../../server/registry/field-tracking.ts";
import { checkNamespace } from "../../server/registry/metadata.ts";
import { parseWriteOptions } from "../../server/registry/options.ts";
import type { Scope } from "../../server/registry/scope.ts";
import type { Store } from "../../server/storage/store.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { ResourceType } from "../../server/types/resource-type.ts";
import type { BuiltInKind } from "../built-in-kind.ts";

const serviceAccountPrinter = definePrinter((object, context) => [nameOf(object), ageOf(object, context)]);

/** core/v1 ServiceAccount. */
export const serviceAccountKind: BuiltInKind = {
  strategy: { returnsDeleted: true },
  printer: serviceAccountPrinter,
};

const minimum = 600;
const maximum = 2 ** 32;
const hour = 3_600;
/**
 * The lifetime that kubelets request, in seconds. A real server extends such a token, and counts its uses
 * after that time.
 */
const extendedFrom = 3_607;
const year = 365 * 24 * hour;

const kind = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
/** TokenRequest has no path of its own. */
const tokenRequest: ResourceType = {
  ...kind,
  listKind: "TokenRequestList",
  plural: "tokenrequests",
  singular: "tokenrequest",
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ["create"],
  subresources: [],
  subresourceTypes: [],
  storage: false,
};

/** The parts of the server that TokenRequests use. */
export interface TokenContext extends TrackingContext {
  readonly store: Store;
  readonly admission: Admission;
  readonly tokens: Pick<TokenAuthenticator, "issue">;
  readonly uuid: () => string;
}

/**
 * Serves POST serviceaccounts/x/token: a JWT for the account (TokenREST of pkg/registry/core/serviceaccount).
 * It is valid while the account exists, and the Pod, Secret or Node that it is bound to.
 */
export async function handleToken(context: TokenContext, scope: Scope): Promise<WholeReply> {
  const { request, namespace, name } = scope;
  const options = parseWriteOptions(request.query, "CreateOptions");
  const review = await decodeBody(context, kind, request, options.fieldValidation);
  trackCreate(context, { ...scope, type: tokenRequest }, review, options);
  checkNamespace(review, scope);
  review.spec = { expirationSeconds: hour, ...(isJsonObject(review.spec) ? review.spec : {}) };
  const attributes = writeAttributes(scope, "CREATE", review, undefined, options);
  await admitTracked(context, attributes);
  checkNamespace(review, scope);
  checkName(review, name);
  const account = find(context, scope).object;
  const uid = account.metadata.uid ?? "";
  if (review.metadata.uid !== undefined && review.metadata.uid !== "" && review.metadata.uid !== uid) {
    const why = `the UID in the token request (${review.metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict(kind.group, kind.kind, name, why);
  }
  const requested = isJsonObject(review.spec) ? review.spec : {};
  const spec = {
    audiences: texts(requested.audiences).length === 0 ? [issuer] : texts(requested.audiences),
    expirationSeconds: typeof requested.expirationSeconds === "number" ? requested.expirationSeconds : hour,
    boundObjectRef: requested.boundObjectRef ?? null,
  };
  const causes = validateExpiration(spec.expirationSeconds);
  if (causes.length > 0) throw invalid(kind.group, kind.kind, "", causes);
  const now = context.clock.now();
  const metadata = { ...review.metadata, name, namespace, uid, creationTimestamp: timestamp(now) };
  const answer: ApiObject = {
    kind: kind.kind,
    apiVersion: `${kind.group}/${kind.version}`,
    metadata,
    spec,
    status: { token: "", expirationTimestamp: null },
  };
  await context.admission.validate({ ...attributes, object: structuredClone(answer) });
  const bound = bind(context, scope, spec.boundObjectRef);
  const extend =
    bound.pod !== undefined &&
    spec.expirationSeconds === extendedFrom &&
    spec.audiences.every((audience) => audience === issuer);
  const issued = Math.floor(now / 1000);
  const token = context.tokens.issue(
    {
      namespace,
      serviceaccount: { name, uid },
      ...bound,
      ...(extend ? { warnafter: issued + extendedFrom } : {}),
    },
    { now: issued, expires: issued + (extend ? year : spec.expirationSeconds) },
    spec.audiences,
    context.uuid(),
  );
  const status = { token, expirationTimestamp: timestamp(now + spec.expirationSeconds * 1000) };
  return jsonReply(201, { ...answer, status });
}

/** Checks the name. The path names the account, and the body may repeat it. @throws ApiStatusError 422 */
function checkName({ metadata }: ApiObject, name: string): void {
  const stated = metadata.name ?? "";
  if (stated === "" || stated === name) return;
  const cause = invalidValue("metadata.name", stated, "must match the service account name if specified");
  throw invalid(kind.group, kind.kind, name, [cause]);
}

function validateExpiration(seconds: number): StatusCause[] {
  const field = "spec.expirationSeconds";
  if (seconds < minimum) {
    return [invalidValue(field, seconds, "may not specify a duration less than 10 minutes")];
  }
  if (seconds > maximum) {
    return [invalidValue(field, seconds, "may not specify a duration larger than 2^32 seconds")];
  }
  return [];
}

/**
 * Returns the bound object. @throws ApiStatusError 400, 404, or 409 when a token cannot be bound to the
 * object
 */
function bind(
  context: TokenContext,
  { namespace, name }: Scope,
  value: JsonValue,
): { pod?: ObjectName; secret?: ObjectName; node?: ObjectName } {
  if (!isJsonObject(value)) return {};
  const reference = { kind: text(value.kind), name: text(value.name), uid: text(value.uid) };
  const apiVersion = text(value.apiVersion);
  const found = (plural: string, key: string) => {
    const object = context.store.get(plural, key)?.object;
    if (object === undefined) throw notFound("", plural, reference.name);
    return object;
  };
  const identify = ({ metadata }: ApiObject): ObjectName => {
    const uid = metadata.uid ?? "";
    if (reference.uid !== "" && reference.uid !== uid) {
      const why = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw conflict("", reference.kind, reference.name, why);
    }
    return { name: metadata.name ?? "", uid };
  };
  const inNamespace = `${namespace}/${reference.name}`;
  switch (apiVersion.includes("/") ? "" : reference.kind) {
    case "Pod": {
      const object = found("pods", inNamespace);
      const { serviceAccountName, nodeName } = object.spec as JsonObject;
      if (serviceAccountName !== name) {
        throw badRequest(
          `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
        );
      }
      const pod = identify(object);
      if (typeof nodeName !== "string" || nodeName === "") return { pod };
      return {
        pod,
        node: { name: nodeName, uid: context.store.get("nodes", nodeName)?.object.metadata.uid ?? "" },
      };
    }
    case "Secret":
      return { secret: identify(found("secrets", inNamespace)) };
    case "Node":
      return { node: identify(found("nodes", reference.name)) };
    default:
      throw badRequest(`cannot bind token to object of type ${describeKind(apiVersion, reference.kind)}`);
  }
}

/** Formats a schema.GroupVersionKind. */
function describeKind(apiVersion: string, name: string): string {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return `${group}/${version}, Kind=${name}`;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
