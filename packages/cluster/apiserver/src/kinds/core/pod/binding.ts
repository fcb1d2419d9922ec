import { badRequest, conflict, invalid } from "../../../apimachinery/errors.ts";
import { timestamp } from "../../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { admitUnstored, writeAttributes } from "../../../server/admission/attributes.ts";
import type { Admission } from "../../../server/admission/chain.ts";
import { find } from "../../../server/endpoints/get.ts";
import { writeUpdate } from "../../../server/endpoints/update.ts";
import { jsonReply, type WholeReply } from "../../../server/http/reply.ts";
import { decodeBody } from "../../../server/registry/decode-body.ts";
import { checkNamespace } from "../../../server/registry/metadata.ts";
import { parseWriteOptions } from "../../../server/registry/options.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import type { StrategyContext } from "../../../server/registry/strategy.ts";

/** The parts of the server that bindings use. */
export interface BindingContext extends StrategyContext {
  readonly admission: Admission;
}

/**
 * Serves POST pods/x/binding, with which a scheduler assigns a Pod to a node (BindingREST of
 * k8s.io/kubernetes).
 */
export async function handleBinding(context: BindingContext, scope: Scope): Promise<WholeReply> {
  const { request } = scope;
  const options = parseWriteOptions(request.query, "CreateOptions");
  const kind = { group: "", version: "v1", kind: "Binding" };
  const binding = await decodeBody(context, kind, request, options.fieldValidation);
  if (binding.metadata.name !== scope.name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  checkNamespace(binding, scope);
  await admitUnstored(context, writeAttributes(scope, "CREATE", binding, undefined, options));
  bind(context, scope, binding, options.dryRun);
  return jsonReply(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

function bind(context: BindingContext, scope: Scope, binding: ApiObject, dryRun: boolean): void {
  const node = targetNode(binding, scope.name);
  const stored = find(context, scope);
  const pod = stored.object as ApiObject & { spec: JsonObject; status: JsonObject };
  const { name } = scope;
  const fail = (why: string) => conflict("", "pods/binding", name, why);
  const { uid } = binding.metadata;
  if (uid && uid !== pod.metadata.uid) {
    throw conflict(
      "",
      "pods",
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw fail(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (pod.spec.nodeName)
    throw fail(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  const labels = { ...pod.metadata.labels, ...binding.metadata.labels };
  const written = writeUpdate(
    context,
    scope,
    stored,
    {
      ...pod,
      metadata: {
        ...pod.metadata,
        ...(Object.keys(labels).length === 0 ? {} : { labels }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: { ...pod.spec, nodeName: node },
      status: scheduled(context, pod.status),
    },
    dryRun,
  );
  if (written === undefined) throw fail(`pod ${name} was changed by another request`);
}

/** Returns the node of a binding. @throws ApiStatusError 422 */
function targetNode(binding: ApiObject, pod: string): string {
  const target = isJsonObject(binding.target) ? binding.target : {};
  if (target.kind !== undefined && target.kind !== "" && target.kind !== "Node") {
    throw invalid("", "Binding", pod, [
      {
        reason: "FieldValueNotSupported",
        message: `Unsupported value: ${JSON.stringify(target.kind)}: supported values: "Node", ""`,
        field: "target.kind",
      },
    ]);
  }
  if (typeof target.name === "string" && target.name !== "") return target.name;
  throw invalid("", "Binding", pod, [
    { reason: "FieldValueRequired", message: "Required value", field: "target.name" },
  ]);
}

function scheduled(context: BindingContext, status: JsonObject): JsonObject {
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter(isJsonObject) : [];
  const condition = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(context.clock.now()),
  };
  return { ...status, conditions: [...conditions.filter(({ type }) => type !== "PodScheduled"), condition] };
}
