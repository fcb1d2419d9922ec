import type { JsonObject } from "../../lib/json/json.ts";
import { readDocument } from "../types/data.ts";

/**
 * Returns Kubernetes' description of a parameter. Uses the method's own description where descriptions differ
 * between methods (such as fieldManager of a patch). Otherwise uses the description from the list or from the
 * whole path.
 */
export type ParameterSource = (method: string, name: string) => JsonObject;

/** Lease has a small document with all parameters of a namespaced resource. */
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

/** Returns the parameters of an operation. Those beside the methods of a path apply to all of them. */
function parametersOf(method: string, operation: unknown): JsonObject[] {
  const list = method === "parameters" ? operation : (operation as { parameters?: unknown }).parameters;
  return (list ?? []) as JsonObject[];
}
