import { invalid } from "../../errors.ts";
import { bytesReply, type WholeReply } from "../../http/reply.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../json.ts";
import { validateEphemeralContainers } from "../../validation/ephemeral-containers.ts";
import type { ApiContext } from "../context.ts";
import { createEncoder } from "../encoder.ts";
import { find, handleGet } from "../get.ts";
import { checkName, checkNamespace } from "../metadata.ts";
import { parseWriteOptions } from "../options.ts";
import { readPatch } from "../patch.ts";
import type { Scope } from "../scope.ts";
import { applyTypeDefaults, decodeBody } from "../semantics.ts";
import { updateObject } from "../update.ts";
import type { View } from "../view.ts";

/** pods/x/ephemeralcontainers: a Pod of which only spec.ephemeralContainers counts. Validation lets it only grow. */
export async function handleEphemeralContainers(
  context: ApiContext,
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
      applyTypeDefaults(draft, type);
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
