import type { KubeObject } from "@operator-path/client";
import { diffLines } from "diff";
import { stringify } from "yaml";
import type { YamlLine } from "./wire.ts";

/**
 * Returns an object as YAML, with the lines that its last change added or removed marked.
 *
 * @param before the object before the change; undefined if it did not exist or is unknown, so nothing is marked
 */
export function yamlLines(after: KubeObject, before?: KubeObject): YamlLine[] {
  const text = yamlOf(after);
  if (!before) return split(text).map((line) => ({ text: line }));
  // A new resourceVersion says nothing about the change.
  const old = {
    ...before,
    metadata: { ...before.metadata, resourceVersion: after.metadata?.resourceVersion },
  };
  return diffLines(yamlOf(old as KubeObject), text).flatMap(({ value, added, removed }) =>
    split(value).map((line) => ({
      text: line,
      ...(added && { mark: "added" as const }),
      ...(removed && { mark: "removed" as const }),
    })),
  );
}

/** Fields in kubectl's order. */
function yamlOf(object: KubeObject): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  return stringify({ apiVersion, kind, metadata, ...rest }, { lineWidth: 0, aliasDuplicateObjects: false });
}

function split(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
