/**
 * Writes src/generated/kubernetes-types.ts: Kubernetes' own types as on the wire, with their documentation.
 *
 * node --conditions=@operator-path/source packages/sdk/client/scripts/generate-types.ts
 *
 * The source is the models of @kubernetes/client-node, which are generated from Kubernetes' OpenAPI. They
 * name fields for client-node's serializer (`_continue`, `x_kubernetes_int_or_string`), and have Date where
 * the wire has a string.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const clientNode = dirname(resolve("@kubernetes/client-node/package.json"));
const { version } = JSON.parse(readFileSync(join(clientNode, "package.json"), "utf8")) as { version: string };
const folder = join(clientNode, "dist/gen/models");

/**
 * The models to convert, together with all models that they refer to: built-in kinds, and types for API
 * files.
 */
const roots = [
  "CoreV1Event",
  "V1APIGroupList",
  "V1APIResourceList",
  "V1APIVersions",
  "V1ClusterRole",
  "V1ClusterRoleBinding",
  "V1ComponentCondition",
  "V1ConfigMap",
  "V1ControllerRevision",
  "V1CronJob",
  "V1CustomResourceDefinition",
  "V1DaemonSet",
  "V1Deployment",
  "V1EndpointSlice",
  "V1Endpoints",
  "V1Eviction",
  "V1FieldSelectorRequirement",
  "V1GroupResource",
  "V1IPAddressSpec",
  "V1Ingress",
  "V1IngressClassSpec",
  "V1Job",
  "V1Lease",
  "V1LimitRangeSpec",
  "V1MutatingWebhookConfiguration",
  "V1Namespace",
  "V1NetworkPolicy",
  "V1Node",
  "V1PersistentVolume",
  "V1Pod",
  "V1PodDisruptionBudget",
  "V1PodTemplate",
  "V1ReplicaSet",
  "V1ReplicationControllerSpec",
  "V1ReplicationControllerStatus",
  "V1ResourceQuota",
  "V1Role",
  "V1RoleBinding",
  "V1Scale",
  "V1Secret",
  "V1Service",
  "V1ServiceAccount",
  "V1ServiceCIDRSpec",
  "V1ServiceCIDRStatus",
  "V1StatefulSet",
  "V1Status",
  "V1StorageClass",
  "V1ValidatingWebhookConfiguration",
  "V1WatchEvent",
  "V2HorizontalPodAutoscaler",
];

/**
 * The real types of fields that the models declare as `any` (apiextensions/v1: JSONSchemaPropsOrBool,
 * JSONSchemaPropsOrArray).
 */
const known: Readonly<Record<string, string>> = {
  additionalItems: "JSONSchemaProps | boolean",
  additionalProperties: "JSONSchemaProps | boolean",
  dependencies: "{ [key: string]: JSONSchemaProps | string[] }",
  items: "JSONSchemaProps | JSONSchemaProps[]",
  fieldsV1: "object",
};

/** The fields that are a Quantity in Kubernetes' OpenAPI, by type. The models declare them as strings. */
const quantities: Readonly<Record<string, readonly string[]>> = {
  ContainerStatus: ["allocatedResources"],
  EmptyDirVolumeSource: ["sizeLimit"],
  HPAScalingRules: ["tolerance"],
  LimitRangeItem: ["default", "defaultRequest", "max", "maxLimitRequestRatio", "min"],
  MetricTarget: ["averageValue", "value"],
  MetricValueStatus: ["averageValue", "value"],
  NodeStatus: ["allocatable", "capacity"],
  PersistentVolumeClaimStatus: ["allocatedResources", "capacity"],
  PersistentVolumeSpec: ["capacity"],
  PodSpec: ["overhead"],
  PodStatus: ["allocatedResources"],
  ResourceFieldSelector: ["divisor"],
  ResourceQuotaSpec: ["hard"],
  ResourceQuotaStatus: ["hard", "used"],
  ResourceRequirements: ["limits", "requests"],
  VolumeResourceRequirements: ["limits", "requests"],
};

interface Member {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly doc: string;
}
interface Model {
  readonly doc: string;
  readonly members: readonly Member[];
}

const models = new Map<string, Model>();
const wanted = [...roots];
for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
  if (models.has(name)) continue;
  const text = readFileSync(join(folder, `${name}.d.ts`), "utf8");
  models.set(name, parseModel(text));
  wanted.push(
    ...[...text.matchAll(/^import \{ (\w+) \} from '\.\.\/models/gm)].map(([, other = ""]) => other),
  );
}

function parseModel(text: string): Model {
  const [, doc = "", body = ""] =
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export declare class \w+ \{\n([\s\S]*)/.exec(text) ?? [];
  const members = [
    ...body.matchAll(/^ {4}(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n {4})?'([^']+)'(\??): ((?:\{[^}]*\}|[^;{])+);$/gm),
  ].map(([, docs = "", name = "", optional, type = ""]) => ({
    name: wireName(name),
    type: (/\bany\b/.test(type) ? known[name] : undefined) ?? type.replaceAll(/\s+/g, " "),
    optional: optional === "?",
    doc: textOf(docs),
  }));
  return { doc: textOf(doc), members };
}

function wireName(name: string): string {
  const [, extension] = /^x_kubernetes_(.*)$/.exec(name) ?? [];
  return extension === undefined ? name.replace(/^_/, "") : `x-kubernetes-${extension.replaceAll("_", "-")}`;
}

function textOf(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*/, "")
    .replace(/\*\/\s*$/, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\\(['"])/g, "$1")
    .replaceAll("*/", "*\\/")
    .trim();
}

/**
 * Returns `Pod` for `V1Pod`. If several groups have the name, only these two groups get it without a prefix.
 */
function nameOf(model: string): string {
  const [, group = "", name = ""] = /^([A-Z][a-z]+)?V\d(\w+)$/.exec(model) ?? [];
  const isTaken = [...models.keys()].some(
    (other) =>
      other !== model &&
      other.replace(/^[A-Z][a-z]+(?=V\d)/, "") === model.replace(/^[A-Z][a-z]+(?=V\d)/, ""),
  );
  return isTaken && group !== "Core" && group !== "Admissionregistration" ? `${group}${name}` : name;
}

function wireType(type: string): string {
  return type
    .replaceAll(/\bArray<([^<>]+|[^<>]*<[^<>]*>[^<>]*)>/g, (_, item: string) => `${wireType(item)}[]`)
    .replaceAll(/\bDate\b|\bV1MicroTime\b/g, "string")
    .replaceAll(/\bany\b/g, "unknown")
    .replaceAll(/\b(?:[A-Z][a-z]+)?V\d\w+/g, nameOf);
}

for (const [name, fields] of Object.entries(quantities)) {
  const model = models.get(`V1${name}`) ?? models.get(`V2${name}`);
  const missing = fields.filter((field) => !model?.members.some((member) => member.name === field));
  if (missing.length > 0) throw new Error(`${name} of the models lacks ${missing.join(" and ")}`);
}

const lines = [...models]
  .map(([model, shape]) => ({ name: nameOf(model), ...shape }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ name, doc, members }) => {
    const fields = members.map(({ name: field, type, optional, doc: text }) => {
      const key = /^[\w$]+$/.test(field) ? field : JSON.stringify(field);
      const value = quantities[name]?.includes(field)
        ? type.replace(/\bstring\b(?=;? *\}?$)/, "Quantity")
        : wireType(type);
      // JSON.stringify omits undefined fields, so the types allow undefined, even with
      // exactOptionalPropertyTypes.
      return `${comment(text, "  ")}  ${key}${optional ? "?" : ""}: ${value}${optional ? " | undefined" : ""};\n`;
    });
    return `${comment(doc, "")}export interface ${name} {\n${fields.join("")}}\n`;
  });
function comment(text: string, indent: string): string {
  return text === "" ? "" : `${indent}/** ${text.replaceAll("\n", `\n${indent} * `)} */\n`;
}

writeFileSync(
  join(import.meta.dirname, "../src/generated/kubernetes-types.ts"),
  `// Written by scripts/generate-types.ts from the models of @kubernetes/client-node ${version} (Apache-2.0).\n\n/** 8080, "http", "25%" (Go: intstr.IntOrString). */\nexport type IntOrString = number | string;\n\n/** "128Mi", "0.5", 2 (Go: resource.Quantity). A server answers with strings. */\nexport type Quantity = number | string;\n\n${lines.join("\n")}`,
);
