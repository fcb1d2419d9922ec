import { badRequest, internalError, invalid } from "../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { includeObject } from "../../server/endpoints/encoder.ts";
import { find } from "../../server/endpoints/get.ts";
import { isApply, readPatch } from "../../server/endpoints/patch.ts";
import { type UpdateContext, updateObject } from "../../server/endpoints/update.ts";
import { negotiate } from "../../server/http/media-type.ts";
import { jsonReply, type WholeReply } from "../../server/http/reply.ts";
import type { ApiRequest } from "../../server/http/request.ts";
import { decodeBody } from "../../server/registry/decode-body.ts";
import { checkName } from "../../server/registry/metadata.ts";
import { parsePatchOptions, parseWriteOptions } from "../../server/registry/options.ts";
import type { Scope } from "../../server/registry/scope.ts";
import type { View } from "../../server/registry/view.ts";
import type { ResourceType } from "../../server/types/resource-type.ts";
import { toScaleTable } from "./scale-table.ts";
import { scaleTracking } from "./scale-tracking.ts";

/** The parts of the server that Scales use. */
export type ScaleContext = UpdateContext;

const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/**
 * Serves autoscaling/v1 Scale: the number of replicas of any scalable object, under the same name and fields.
 */
export async function handleScale(
  context: ScaleContext,
  scope: Scope,
  view: View,
  verb: string,
): Promise<WholeReply> {
  const { type, request } = scope;
  const paths = scalePaths(type);
  const reply = (object: ApiObject) => replyInRequestedForm(context, request, toScale(object, paths));
  if (verb === "get") {
    const found = find(context, scope);
    await view.ready([found], true);
    const shown = view.object(found);
    if (type.custom !== undefined && member(shown, paths.spec) === undefined) {
      throw internalError(`the spec replicas field ".${paths.spec.join(".")}" does not exist`);
    }
    return reply(shown);
  }
  const patching = verb === "patch";
  const options = patching
    ? parsePatchOptions(request.query, isApply(request))
    : { ...parseWriteOptions(request.query, "UpdateOptions"), force: false };
  find(context, scope);
  const tracking = scaleTracking(context, scope, paths.spec, options);
  const transform =
    patching && isApply(request)
      ? await tracking.readApply()
      : tracking.tracked(
          patching
            ? await readPatch(context, scope, scaleKind, options.fieldValidation)
            : await decodeBody(context, scaleKind, request, options.fieldValidation).then(
                (draft) => () => draft,
              ),
        );
  const updated = await updateObject(
    context,
    { ...scope, subresource: "" },
    view,
    (old) => {
      const scale = transform(tracking.withManagers(toScale(old, paths), old));
      checkName(scale, scope.name);
      const { uid = "" } = scale.metadata;
      // A Scale without a resourceVersion updates the object whatever its version is.
      const resourceVersion = scale.metadata.resourceVersion || old.metadata.resourceVersion;
      const draft = withMember(old, paths.spec, replicasOf(scale, paths)) as ApiObject;
      const managedFields = tracking.parentManagers(scale, old);
      return { ...draft, metadata: { ...old.metadata, uid, resourceVersion, ...managedFields } };
    },
    options,
    true,
    {
      subresource: "scale",
      show: (object) => toScale(object, paths),
      take: (shown, draft) => Object.assign(draft, withMember(draft, paths.spec, replicasOf(shown, paths))),
    },
  );
  await view.ready([updated]);
  return reply(view.object(updated));
}

function replyInRequestedForm(context: ScaleContext, request: ApiRequest, scale: ApiObject): WholeReply {
  if (negotiate(request.headers.accept).as !== "Table") return jsonReply(200, scale);
  const options = { now: context.clock.now(), includeObject: includeObject(request.query) };
  return jsonReply(200, toScaleTable(scale, context.registry, options) as unknown as JsonObject);
}

interface ScalePaths {
  spec: string[];
  status: string[];
  /** Path of the selector as text. Undefined for built-in kinds, whose spec.selector is structured. */
  selector: string[] | undefined;
  structured: boolean;
}

function scalePaths(type: ResourceType): ScalePaths {
  const split = (path: string) => path.split(".").filter(Boolean);
  const custom = type.custom?.scale;
  if (custom === undefined) {
    return {
      spec: ["spec", "replicas"],
      status: ["status", "replicas"],
      selector: ["spec", "selector"],
      structured: true,
    };
  }
  return {
    spec: split(custom.specReplicasPath),
    status: split(custom.statusReplicasPath),
    selector: custom.labelSelectorPath === undefined ? undefined : split(custom.labelSelectorPath),
    structured: false,
  };
}

function toScale(object: ApiObject, paths: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = member(object, paths.spec);
  const current = member(object, paths.status);
  const selector = paths.selector === undefined ? undefined : member(object, paths.selector);
  const text = paths.structured && isJsonObject(selector) ? selectorText(selector) : selector;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: JSON.parse(JSON.stringify({ name, namespace, uid, resourceVersion, creationTimestamp })),
    spec: typeof replicas === "number" && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(typeof text === "string" && text !== "" ? { selector: text } : {}),
    },
  };
}

/** Returns the replicas of a Scale. @throws ApiStatusError 400 or 422 */
function replicasOf(scale: ApiObject, { structured }: ScalePaths): number {
  const spec = isJsonObject(scale.spec) ? scale.spec : {};
  const replicas = spec.replicas ?? 0;
  if (typeof replicas !== "number") throw badRequest("spec.replicas of a Scale must be a number");
  // A custom resource's replicas are validated in the object itself.
  if (replicas < 0 && structured) {
    throw invalid("autoscaling", "Scale", scale.metadata.name ?? "", [
      {
        reason: "FieldValueInvalid",
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
        field: "spec.replicas",
      },
    ]);
  }
  return replicas;
}

function member(object: JsonObject, path: string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}

function withMember(object: JsonObject, [name = "", ...rest]: string[], value: JsonValue): JsonObject {
  const inner = object[name];
  return {
    ...object,
    [name]: rest.length === 0 ? value : withMember(isJsonObject(inner) ? inner : {}, rest, value),
  };
}

/** Formats a LabelSelector as the query parameter. */
function selectorText(selector: JsonObject): string {
  const labels = isJsonObject(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const expressions = Array.isArray(selector.matchExpressions)
    ? selector.matchExpressions.filter(isJsonObject)
    : [];
  const terms = [
    ...labels.map(([key, value]) => `${key}=${String(value)}`),
    ...expressions.map(({ key, operator, values }) => {
      if (operator === "Exists") return String(key);
      if (operator === "DoesNotExist") return `!${String(key)}`;
      const list = Array.isArray(values) ? values.map(String).sort().join(",") : "";
      return `${String(key)} ${operator === "In" ? "in" : "notin"} (${list})`;
    }),
  ];
  return terms.sort().join(",");
}
