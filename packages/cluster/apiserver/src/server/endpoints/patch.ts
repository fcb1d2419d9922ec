import type { ApiObject } from "../../lib/json/json.ts";
import { contentType } from "../http/media-type.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import { decodeTarget, type SchemaContext } from "../registry/decode-body.ts";
import { checkName, checkNamespace } from "../registry/metadata.ts";
import { parsePatchOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { View } from "../registry/view.ts";
import { handleApply } from "./apply.ts";
import { applyPatch, checkPatchType } from "./apply-patch.ts";
import type { CreateContext } from "./create.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";
import { updateObject } from "./update.ts";

/** The parts of the server that a patch uses. An apply may create. */
export type PatchContext = CreateContext;

export async function handlePatch(context: PatchContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  checkPatchType(contentType(request.headers["content-type"]), type);
  const encoder = createEncoder(context, view, request);
  const options = parsePatchOptions(request.query, isApply(request));
  if (isApply(request)) return handleApply(context, scope, view, options);
  // Runs before the body is read: a missing object matters more than an invalid patch.
  find(context, scope);
  const patch = await readPatch(context, scope, type, options.fieldValidation);
  const transform = (old: ApiObject) => {
    const draft = patch(old);
    checkNamespace(draft, scope);
    checkName(draft, scope.name);
    context.kindOf(type).setDefaults(draft);
    return draft;
  };
  const updated = await updateObject(context, scope, view, transform, options);
  await view.ready([updated]);
  return bytesReply(200, encoder.object(updated));
}

/**
 * Reads the body as a patch of one of three types.
 * @param kind of the patched object: the scope's own, or that of a subresource (Scale)
 * @throws ApiStatusError 415
 */
export async function readPatch(
  context: SchemaContext,
  scope: Scope,
  kind: { group: string; version: string; kind: string; custom?: unknown },
  fieldValidation: string,
): Promise<(old: ApiObject) => ApiObject> {
  const { request } = scope;
  const media = contentType(request.headers["content-type"]);
  const body = await request.body();
  // managedFields are long and most patches do not change them. Then they are neither copied nor parsed.
  const touchesManagers = body.includes("managedFields");
  return (old) => {
    const { managedFields, ...metadata } = old.metadata;
    const given = touchesManagers ? old : { ...old, metadata };
    const { object, warnings } = applyPatch(given, body, media, decodeTarget(context, kind, fieldValidation));
    if (!touchesManagers && managedFields !== undefined) object.metadata.managedFields = managedFields;
    for (const warning of warnings) request.warn(warning);
    return object;
  };
}

/** Returns whether the request is a server-side apply. */
export function isApply(request: ApiRequest): boolean {
  return contentType(request.headers["content-type"]) === "application/apply-patch+yaml";
}
