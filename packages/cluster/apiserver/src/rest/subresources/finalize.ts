import { bytesReply, type WholeReply } from "../../http/reply.ts";
import { isJsonObject } from "../../json.ts";
import type { ApiContext } from "../context.ts";
import { createEncoder } from "../encoder.ts";
import { checkName } from "../metadata.ts";
import { parseWriteOptions } from "../options.ts";
import type { Scope } from "../scope.ts";
import { decodeBody } from "../semantics.ts";
import { updateObject } from "../update.ts";
import type { View } from "../view.ts";

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
