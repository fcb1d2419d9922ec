import { invalid } from "../../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { createEncoder } from "../../../server/endpoints/encoder.ts";
import { find, handleGet } from "../../../server/endpoints/get.ts";
import { readPatch } from "../../../server/endpoints/patch.ts";
import { type UpdateContext, updateObject } from "../../../server/endpoints/update.ts";
import { bytesReply, type WholeReply } from "../../../server/http/reply.ts";
import { decodeBody } from "../../../server/registry/decode-body.ts";
import { checkName, checkNamespace } from "../../../server/registry/metadata.ts";
import { parseWriteOptions } from "../../../server/registry/options.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import type { View } from "../../../server/registry/view.ts";
import { validateEphemeralContainers } from "./validation/ephemeral-containers.ts";

/**
 * Serves pods/x/ephemeralcontainers. Of the Pod in the body, only spec.ephemeralContainers counts. Validation
 * only lets that list grow.
 */
export async function handleEphemeralContainers(
  context: UpdateContext,
  scope: Scope,
  view: View,
  verb: string,
): Promise<WholeReply> {
  const { type, request } = scope;
  if (verb === "get") return handleGet(context, scope, view);
  const encoder = createEncoder(context, view, request);
  const options = parseWriteOptions(request.query, verb === "patch" ? "PatchOptions" : "UpdateOptions");
  find(context, scope);
  const transform =
    verb === "patch"
      ? await readPatch(context, scope, type, options.fieldValidation)
      : await decodeBody(context, type, request, options.fieldValidation).then((draft) => () => draft);
  const updated = await updateObject(
    context,
    scope,
    view,
    (old) => {
      const draft = transform(old);
      checkNamespace(draft, scope);
      checkName(draft, scope.name);
      context.kindOf(type).setDefaults(draft);
      const changed = onlyEphemeralContainers(draft, old);
      const causes = validateEphemeralContainers(changed, old);
      if (causes.length > 0) throw invalid(type.group, type.kind, scope.name, causes);
      return changed;
    },
    options,
  );
  return bytesReply(200, encoder.object(updated));
}

function onlyEphemeralContainers(draft: ApiObject, old: ApiObject): ApiObject {
  const { ephemeralContainers } = isJsonObject(draft.spec) ? draft.spec : ({} as JsonObject);
  const { ephemeralContainers: _old, ...spec } = old.spec as JsonObject;
  const { uid, resourceVersion } = draft.metadata;
  return {
    ...old,
    metadata: { ...old.metadata, uid: uid ?? "", resourceVersion: resourceVersion ?? "" },
    spec: { ...spec, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) },
  };
}
