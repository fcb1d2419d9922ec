import { unsupportedMediaType } from "../errors.ts";
import { contentType } from "../http/media-type.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { ApiObject } from "../json.ts";
import { applyPatch } from "../patch/apply-patch.ts";
import type { ApiContext, Scope } from "./context.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";
import { checkName, checkNamespace } from "./metadata.ts";
import { parseWriteOptions } from "./options.ts";
import { applyTypeDefaults, decodeTarget } from "./semantics.ts";
import { updateObject } from "./update.ts";
import type { View } from "./view.ts";

export async function handlePatch(context: ApiContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  const encoder = createEncoder(context, view, request);
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, "PatchOptions");
  // An apply would create what is missing: it is not the object that stands in the way.
  refuseApply(request);
  // Before the body is read: a missing object matters more than a broken patch.
  find(context, scope);
  const patch = await readPatch(context, scope, type, fieldValidation);
  const transform = (old: ApiObject) => {
    const draft = patch(old);
    checkNamespace(draft, scope);
    checkName(draft, scope.name);
    applyTypeDefaults(context, draft, type);
    return draft;
  };
  return bytesReply(200, encoder.object(updateObject(context, scope, view, transform, dryRun)));
}

/**
 * Reads the body as a patch of any of the three kinds.
 * @param kind of what is patched: the scope's own, or that of a subresource (Scale)
 * @throws ApiStatusError 415
 */
export async function readPatch(
  context: ApiContext,
  scope: Scope,
  kind: { group: string; version: string; kind: string; custom?: unknown },
  fieldValidation: string,
): Promise<(old: ApiObject) => ApiObject> {
  const { request } = scope;
  refuseApply(request);
  const media = contentType(request.headers["content-type"]);
  const body = await request.body();
  return (old) => {
    const { object, warnings } = applyPatch(old, body, media, decodeTarget(context, kind, fieldValidation));
    for (const warning of warnings) request.warn(warning);
    return object;
  };
}

function refuseApply(request: ApiRequest): void {
  if (contentType(request.headers["content-type"]) !== "application/apply-patch+yaml") return;
  throw unsupportedMediaType(
    "server-side apply (application/apply-patch+yaml) is not supported by this server yet: use client-side apply (kubectl apply without --server-side, helm with --server-side=false), or a JSON, merge or strategic merge patch",
  );
}
