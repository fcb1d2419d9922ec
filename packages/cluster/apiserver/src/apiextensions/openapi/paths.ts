import type { JsonObject } from "../../lib/json/json.ts";
import type { ParameterSource } from "../../server/openapi/parameters.ts";
import { readParameters } from "../../server/openapi/parameters.ts";
import type { ResourceType } from "../../server/types/resource-type.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const LIST = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
  "watch",
];
const WRITE = ["dryRun", "fieldManager", "fieldValidation"];
const DELETE = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];
const BODIES = ["application/json", "application/yaml"];
/** Strategic merge patch is missing, because it needs Go types. */
const PATCHES = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

interface Operation {
  method: string;
  /** x-kubernetes-action, if it differs from the method. */
  action?: string;
  id: string;
  description: string;
  parameters: string[];
  /** Definition of the body, and its allowed media types. */
  body?: { definition: string; types: string[]; required: boolean };
  /** Definition of a successful response, and its status codes. */
  result: string;
  codes?: number[];
}

/**
 * Returns the paths of a custom resource.
 *
 * @param object name of the kind's definition in the document
 * @param list name of its list's definition
 */
export function customPaths(type: ResourceType, object: string, list: string): JsonObject {
  const source = readParameters();
  const root = `/apis/${type.group}/${type.version}`;
  const collection = type.namespaced
    ? `${root}/namespaces/{namespace}/${type.plural}`
    : `${root}/${type.plural}`;
  const scope = type.namespaced ? ["namespace"] : [];
  const paths: JsonObject = {
    [collection]: pathItem(type, source, collectionOperations(type, object, list), [...scope, "pretty"]),
    [`${collection}/{name}`]: pathItem(type, source, itemOperations(type, object), [
      "name",
      ...scope,
      "pretty",
    ]),
  };
  for (const subresource of type.subresources) {
    const definition = subresource === "scale" ? "io.k8s.api.autoscaling.v1.Scale" : object;
    const operations = subresourceOperations(type, subresource, definition);
    const path = `${collection}/{name}/${subresource}`;
    paths[path] = pathItem(type, source, operations, ["name", ...scope, "pretty"]);
  }
  if (type.namespaced) {
    const all: Operation = {
      method: "get",
      action: "list",
      id: `list${idPart(type)}${type.kind}ForAllNamespaces`,
      description: `list objects of kind ${type.kind}`,
      parameters: [],
      result: list,
    };
    const parameters = [...LIST, "pretty"].sort();
    paths[`${root}/${type.plural}`] = pathItem(type, source, [all], parameters);
  }
  return paths;
}

/**
 * Returns the part of an operationId for the group-version: `UalterComV1beta1Namespaced` without the scope.
 */
function idPart({ group, version }: ResourceType): string {
  return [...group.split("."), version].map(capitalize).join("");
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function scoped(type: ResourceType): string {
  return `${idPart(type)}${type.namespaced ? "Namespaced" : ""}${type.kind}`;
}

function collectionOperations(type: ResourceType, object: string, list: string): Operation[] {
  const collection = `${idPart(type)}Collection${type.namespaced ? "Namespaced" : ""}${type.kind}`;
  return [
    {
      method: "get",
      action: "list",
      id: `list${scoped(type)}`,
      description: `list objects of kind ${type.kind}`,
      parameters: LIST,
      result: list,
    },
    {
      method: "post",
      id: `create${scoped(type)}`,
      description: `create a${startsWithVowel(type.kind) ? "n" : ""} ${type.kind}`,
      parameters: WRITE,
      body: { definition: object, types: BODIES, required: true },
      result: object,
      codes: [200, 201, 202],
    },
    {
      method: "delete",
      action: "deletecollection",
      id: `delete${collection}`,
      description: `delete collection of ${type.kind}`,
      parameters: LIST,
      result: `${META}.Status`,
    },
  ];
}

function itemOperations(type: ResourceType, object: string): Operation[] {
  const [get, put, patch] = readWriteOperations(`the specified ${type.kind}`, scoped(type), object);
  const remove: Operation = {
    method: "delete",
    id: `delete${scoped(type)}`,
    description: `delete a${startsWithVowel(type.kind) ? "n" : ""} ${type.kind}`,
    parameters: DELETE,
    body: { definition: `${META}.DeleteOptions`, types: BODIES, required: false },
    result: `${META}.Status`,
    codes: [200, 202],
  };
  return [get, put, remove, patch];
}

function subresourceOperations(type: ResourceType, subresource: string, definition: string): Operation[] {
  const what = `${subresource} of the specified ${type.kind}`;
  return readWriteOperations(what, `${scoped(type)}${capitalize(subresource)}`, definition);
}

function readWriteOperations(what: string, id: string, object: string): [Operation, Operation, Operation] {
  return [
    {
      method: "get",
      id: `read${id}`,
      description: `read ${what}`,
      parameters: ["resourceVersion"],
      result: object,
    },
    {
      method: "put",
      id: `replace${id}`,
      description: `replace ${what}`,
      parameters: WRITE,
      body: { definition: object, types: BODIES, required: true },
      result: object,
      codes: [200, 201],
    },
    {
      method: "patch",
      id: `patch${id}`,
      description: `partially update ${what}`,
      parameters: [...WRITE, "force"],
      body: { definition: `${META}.Patch`, types: PATCHES, required: true },
      result: object,
    },
  ];
}

function startsWithVowel(kind: string): boolean {
  return /^[aeiou]/i.test(kind);
}

const REASONS: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

function pathItem(
  type: ResourceType,
  source: ParameterSource,
  operations: Operation[],
  parameters: string[],
): JsonObject {
  const item: JsonObject = {};
  for (const {
    method,
    action = method,
    id,
    description,
    body,
    result,
    codes = [200],
    ...rest
  } of operations) {
    const group = type.group.split(".").map((part, at) => (at === 0 ? part : capitalize(part)));
    const responses: JsonObject = {};
    for (const code of codes) {
      responses[code] = { description: REASONS[code] ?? "", content: content(BODIES, result) };
    }
    responses["401"] = { description: "Unauthorized" };
    item[method] = {
      tags: [`${group.join("")}_${type.version}`],
      description,
      operationId: id,
      ...(rest.parameters.length === 0
        ? {}
        : { parameters: rest.parameters.map((name) => source(method, name)) }),
      ...(body === undefined
        ? {}
        : {
            requestBody: {
              content: content(body.types, body.definition),
              ...(body.required ? { required: true } : {}),
            },
          }),
      responses,
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": { group: type.group, version: type.version, kind: type.kind },
    };
  }
  item.parameters = parameters.map((name) => (name === "name" ? nameParameter(type) : source("get", name)));
  return item;
}

function nameParameter(type: ResourceType): JsonObject {
  return {
    name: "name",
    in: "path",
    description: `name of the ${type.kind}`,
    required: true,
    schema: { type: "string", uniqueItems: true },
  };
}

function content(types: string[], definition: string): JsonObject {
  return Object.fromEntries(
    types.map((mediaType) => [mediaType, { schema: { $ref: `#/components/schemas/${definition}` } }]),
  );
}
