import type { JsonObject } from "../../lib/json/json.ts";
import { readDocument } from "../types/data.ts";

/**
 * Looks up a parameter as Kubernetes describes it. The method of the operation that has it decides where descriptions
 * differ (fieldManager of a patch); failing that, the parameter of a list or of the whole path is meant.
 */
export type ParameterSource = (method: string, name: string) => JsonObject;

/** The Lease, small as its document is, has every parameter that a namespaced resource takes. */
const EXAMPLE = "apis/coordination.k8s.io/v1";
const COLLECTION = `/${EXAMPLE}/namespaces/{namespace}/leases`;

export function readParameters(): ParameterSource {
  const paths = readDocument(EXAMPLE)?.paths ?? {};
  const items = [paths[COLLECTION], paths[`${COLLECTION}/{name}`]];
  const found = new Map<string, JsonObject>();
  for (const item of items) {
    for (const [method, operation] of Object.entries(item ?? {})) {
      for (const parameter of parametersOf(method, operation))
        found.set(`${method} ${parameter.name}`, parameter);
    }
  }
  return (method, name) => {
    const parameter = [method, "get", "parameters"]
      .map((owner) => found.get(`${owner} ${name}`))
      .find((known) => known !== undefined);
    if (parameter === undefined) throw new Error(`the type data describes no parameter ${name} of ${method}`);
    return parameter;
  };
}

/** A path's `parameters` stand beside its methods, and hold for all of them. */
function parametersOf(method: string, operation: unknown): JsonObject[] {
  const list = method === "parameters" ? operation : (operation as { parameters?: unknown }).parameters;
  return (list ?? []) as JsonObject[];
}
