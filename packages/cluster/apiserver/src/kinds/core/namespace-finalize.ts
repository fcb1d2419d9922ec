import { isJsonObject } from "../../lib/json/json.ts";
import type { ApiContext } from "../../server/endpoints/context.ts";
import { createEncoder } from "../../server/endpoints/encoder.ts";
import { updateObject } from "../../server/endpoints/update.ts";
import { bytesReply, type WholeReply } from "../../server/http/reply.ts";
import { checkName } from "../../server/registry/metadata.ts";
import { parseWriteOptions } from "../../server/registry/options.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { decodeBody } from "../../server/registry/semantics.ts";
import type { View } from "../../server/registry/view.ts";

/** PUT namespaces/x/finalize: sets spec.finalizers. When they become empty, a namespace that was deleted goes. */
export async function handleFinalize(context: ApiContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  const encoder = createEncoder(context, view, request);
  const options = parseWriteOptions(request.query, "UpdateOptions");
  const draft = await decodeBody(context, type, request, options.fieldValidation);
  checkName(draft, scope.name);
  const finalizers =
    isJsonObject(draft.spec) && Array.isArray(draft.spec.finalizers) ? draft.spec.finalizers : [];
  const updated = await updateObject(
    context,
    scope,
    view,
    (old) => {
      const { uid = "", resourceVersion = "" } = draft.metadata;
      return {
        ...old,
        metadata: { ...old.metadata, uid, resourceVersion },
        spec: finalizers.length === 0 ? {} : { finalizers },
      };
    },
    options,
  );
  return bytesReply(200, encoder.object(updated));
}
