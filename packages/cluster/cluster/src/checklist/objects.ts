import { isDeepStrictEqual } from "node:util";
import { type Client, defineResource, isNotFound, type ResourceClient } from "@operator-path/client";
import { UserError } from "../user-error.ts";
import type { AnyObject } from "./capstone.ts";

/** Returns "ConfigMap hello", for messages. */
export function nameOf({ kind, metadata }: AnyObject): string {
  return `${kind} ${metadata?.name}`;
}

/**
 * Asks the server for the resource of an object's kind. Returns its verbs, in `namespace` if the kind is namespaced.
 *
 * @throws UserError if the server does not have the kind
 */
export async function verbsFor(
  client: Client,
  { apiVersion = "", kind = "" }: AnyObject,
  namespace: string,
): Promise<ResourceClient<AnyObject>> {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const { body } = await client.request({ method: "GET", path }).catch((error: unknown) => {
    if (isNotFound(error)) throw unknownKind(apiVersion, kind);
    throw error;
  });
  const { resources } = JSON.parse(Buffer.from(body).toString()) as {
    resources: { name: string; kind: string; namespaced: boolean }[];
  };
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes("/"));
  if (!found) throw unknownKind(apiVersion, kind);
  const { name: plural, namespaced } = found;
  const verbs = client.resource(defineResource<AnyObject>({ group, version, kind, plural, namespaced }));
  return namespaced ? verbs.namespace(namespace) : verbs;
}

function unknownKind(apiVersion: string, kind: string): UserError {
  return new UserError(
    `The cluster has no kind ${kind} of ${apiVersion}. Compare group, version and kind in capstone.yaml with your project.`,
  );
}

/** Returns the object of that kind and name. Undefined if it does not exist. */
export async function find(
  client: Client,
  object: AnyObject,
  namespace: string,
): Promise<AnyObject | undefined> {
  const verbs = await verbsFor(client, object, namespace);
  return verbs.get(object.metadata?.name ?? "").catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** Returns the object with a JSON merge patch (RFC 7386) applied. */
export function merge<T>(object: T, patch: unknown): T {
  if (!isRecord(patch)) return patch as T;
  const merged: Record<string, unknown> = isRecord(object) ? { ...object } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else merged[field] = merge(merged[field], value);
  }
  return merged as T;
}

/** A field that has another value than it must have. */
export interface Difference {
  /** "spec.replicas" */
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/**
 * Compares an object with the fields that it must have. Other fields may have any value. Lists must have the
 * same length.
 *
 * @returns the first field that differs. Undefined if none does
 */
export function firstDifference(actual: unknown, expected: unknown, path = ""): Difference | undefined {
  const isList = Array.isArray(expected);
  if (!isRecord(expected) && !isList)
    return isDeepStrictEqual(actual, expected) ? undefined : { path, actual, expected };
  if (isList && (!Array.isArray(actual) || actual.length !== expected.length))
    return { path, actual, expected };
  for (const [field, value] of Object.entries(expected)) {
    const own = isList ? `${path}[${field}]` : `${path}${path && "."}${field}`;
    const difference = firstDifference((actual as Record<string, unknown> | undefined)?.[field], value, own);
    if (difference) return difference;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
