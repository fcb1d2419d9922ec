import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@operator-path/client";
import { parseManifest } from "../drift/parse-manifest.ts";

/** Returns the names of the objects that differ between two manifests, or are in only one of them. */
export function differingObjects(one: string, other: string): ReadonlySet<string> {
  if (one === other) return new Set();
  const [ones, others] = [objectsOf(one), objectsOf(other)];
  const names = new Set([...ones.keys(), ...others.keys()]);
  return new Set([...names].filter((name) => !isDeepStrictEqual(ones.get(name), others.get(name))));
}

function objectsOf(manifest: string): Map<string, KubeObject> {
  return new Map(parseManifest(manifest).map(({ object }) => [nameOf(object), object]));
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ""}/${metadata?.name}`;
}
