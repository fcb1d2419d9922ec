import { badRequest, quote } from "../../apimachinery/errors.ts";
import type { FieldReader, FieldRequirement } from "../../apimachinery/selectors/fields.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/** Decides on an object's fields. */
export interface FieldSelector {
  readonly empty: boolean;
  /** The name that `metadata.name=…` requires. */
  readonly name?: string;
  /** The namespace that `metadata.namespace=…` requires. */
  readonly namespace?: string;
  matches(object: ApiObject): boolean;
}

/** The value at a path, as text; absent, null and objects read as the empty string, a Go zero value. */
function text(...path: string[]): FieldReader {
  return (object) => {
    let value: JsonValue | undefined = object;
    for (const member of path) value = isJsonObject(value) ? value[member] : undefined;
    return value === undefined || value === null || typeof value === "object" ? "" : String(value);
  };
}

function path(dotted: string): [string, FieldReader] {
  return [dotted, text(...dotted.split("."))];
}

/** A boolean or number whose absence means its zero value. */
function withZero(dotted: string, zero: string): [string, FieldReader] {
  const read = text(...dotted.split("."));
  return [dotted, (object) => read(object) || zero];
}

const eventSource: FieldReader = (object) =>
  text("source", "component")(object) || text("reportingComponent")(object);

/** Beyond metadata.name and metadata.namespace: what each kind can be selected by (AddFieldLabelConversionFunc). */
const byResource: Record<string, Map<string, FieldReader>> = {
  pods: new Map([
    path("spec.nodeName"),
    ["spec.host", text("spec", "nodeName")],
    path("spec.restartPolicy"),
    path("spec.schedulerName"),
    path("spec.serviceAccountName"),
    withZero("spec.hostNetwork", "false"),
    path("status.phase"),
    path("status.podIP"),
    ["status.podIPs", text("status", "podIP")],
    path("status.nominatedNodeName"),
  ]),
  nodes: new Map([withZero("spec.unschedulable", "false")]),
  namespaces: new Map([path("status.phase"), ["name", text("metadata", "name")]]),
  secrets: new Map([path("type")]),
  services: new Map([path("spec.clusterIP"), path("spec.type")]),
  events: new Map([
    ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((member) =>
      path(`involvedObject.${member}`),
    ),
    path("reason"),
    ["reportingComponent", eventSource],
    ["source", eventSource],
    path("type"),
  ]),
  // Events are stored as core/v1: the newer names read the older fields.
  "events.events.k8s.io": new Map([
    ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map(
      (member): [string, FieldReader] => [`regarding.${member}`, text("involvedObject", member)],
    ),
    path("reason"),
    ["reportingController", eventSource],
    path("type"),
  ]),
  "jobs.batch": new Map([withZero("status.successful", "0")]),
  "certificatesigningrequests.certificates.k8s.io": new Map([path("spec.signerName")]),
};

/** Kinds whose own conversion function words the refusal differently. */
const ownWords = new Set(Object.keys(byResource));

/**
 * @param resource `plural`, or `plural.group`
 * @param extra dotted paths that a CustomResourceDefinition lists under selectableFields, e.g. `spec.color`
 * @throws ApiStatusError 400 for a field that the kind cannot be selected by
 */
export function compileFieldSelector(
  requirements: FieldRequirement[],
  resource: string,
  namespaced: boolean,
  extra: string[] = [],
): FieldSelector {
  const readers = new Map<string, FieldReader>([
    path("metadata.name"),
    ...(namespaced || !ownWords.has(resource) ? [path("metadata.namespace")] : []),
    ...(byResource[resource] ?? []),
    ...extra.map(path),
  ]);
  const tests = requirements.map(({ field, negated, value }) => {
    const read = readers.get(field);
    if (read === undefined) throw unsupported(field, resource, extra);
    return (object: ApiObject) => (read(object) === value) !== negated;
  });
  const exact = (field: string) =>
    requirements.find((requirement) => requirement.field === field && !requirement.negated)?.value;
  const name = exact("metadata.name");
  const namespace = exact("metadata.namespace");
  return {
    empty: tests.length === 0,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    matches: (object) => tests.every((test) => test(object)),
  };
}

function unsupported(field: string, resource: string, extra: string[]) {
  if (ownWords.has(resource) || extra.length > 0) return badRequest(`field label not supported: ${field}`);
  return badRequest(
    `${quote(field)} is not a known field selector: only ${quote("metadata.name")}, ${quote("metadata.namespace")}`,
  );
}
