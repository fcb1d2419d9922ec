import { randomUUID } from "node:crypto";
import { timestamp } from "../../clock.ts";
import { conflict, invalid, notFound } from "../../errors.ts";
import { jsonReply, type WholeReply } from "../../http/reply.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { ApiContext, Scope } from "../context.ts";
import { find } from "../get.ts";
import { parseWriteOptions } from "../options.ts";
import { decodeBody } from "../semantics.ts";

const hour = 3_600;

/**
 * POST serviceaccounts/x/token: a token for the account, valid as long as the account, and the Pod or Secret that it
 * is bound to, are there. The token is opaque, where a real server's is a JWT.
 */
export async function handleToken(context: ApiContext, scope: Scope): Promise<WholeReply> {
  const { request, namespace, name } = scope;
  const { fieldValidation } = parseWriteOptions(request.query, "CreateOptions");
  const kind = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
  const review = await decodeBody(context, kind, request, fieldValidation);
  const account = find(context, scope);
  const spec = isJsonObject(review.spec) ? review.spec : {};
  const asked = typeof spec.expirationSeconds === "number" ? spec.expirationSeconds : hour;
  if (asked < 600) throw tooShort(asked);
  const seconds = Math.min(asked, 2 ** 32);
  const expires = context.clock.now() + seconds * 1000;
  const bound = boundObject(context, scope, spec.boundObjectRef);
  const alive = () =>
    context.store.get(scope.collection, account.key)?.object.metadata.uid === account.object.metadata.uid &&
    (bound === undefined ||
      context.store.get(bound.collection, bound.key)?.object.metadata.uid === bound.uid);
  const user = {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: account.object.metadata.uid as string,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`JTI=${randomUUID()}`] },
  };
  const token = context.tokens.issue(user, expires, alive);
  return jsonReply(201, {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name, namespace, creationTimestamp: timestamp(context.clock.now()) },
    spec: {
      audiences: ["https://kubernetes.default.svc.cluster.local"],
      ...spec,
      expirationSeconds: seconds,
    },
    status: { token, expirationTimestamp: timestamp(expires) },
  });
}

function tooShort(asked: number) {
  const message = `Invalid value: ${asked}: may not specify a duration less than 10 minutes`;
  const cause = { reason: "FieldValueInvalid", message, field: "spec.expirationSeconds" };
  return invalid("authentication.k8s.io", "TokenRequest", "", [cause]);
}

/** @throws ApiStatusError 404 when the object is not there, 409 when it is another one of that name */
function boundObject(context: ApiContext, { namespace }: Scope, value: JsonValue | undefined) {
  if (!isJsonObject(value)) return undefined;
  const { kind, name, uid } = value as JsonObject & { kind?: string; name?: string; uid?: string };
  const collection =
    kind === "Pod" ? "pods" : kind === "Secret" ? "secrets" : kind === "Node" ? "nodes" : undefined;
  if (collection === undefined || name === undefined) return undefined;
  const key = collection === "nodes" ? name : `${namespace}/${name}`;
  const found = context.store.get(collection, key);
  if (found === undefined) throw notFound("", collection, name);
  const actual = found.object.metadata.uid as string;
  if (uid !== undefined && uid !== "" && uid !== actual) {
    throw conflict(
      "",
      collection,
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { collection, key, uid: actual };
}
