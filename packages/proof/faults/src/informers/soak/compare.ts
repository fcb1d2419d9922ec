import { createHash } from "node:crypto";
import type { KubeObject } from "@operator-path/client";
import { keyOf } from "@operator-path/informers";
import { sorted } from "../../server/objects.ts";

/** The state of a list. */
export interface Expected {
  /** `uid resourceVersion` by key. */
  readonly versions: ReadonlyMap<string, string>;
  /** Returns the differences of a cache: by version and, if `deep`, in every field but managedFields. */
  compare(cached: readonly KubeObject[], deep: boolean): string[];
}

/** @param text lines `key uid resourceVersion digest` */
export function parseList(text: string): Expected {
  const versions = new Map<string, string>();
  const digests = new Map<string, string>();
  for (const line of text === "" ? [] : text.split("\n")) {
    const [key = "", uid, resourceVersion, sum = ""] = line.split(" ");
    versions.set(key, `${uid} ${resourceVersion}`);
    digests.set(key, sum);
  }
  return {
    versions,
    compare(cached, deep) {
      const actual = new Map(cached.map((object) => [keyOf(object), versionOf(object)]));
      const different = differences(versions, actual);
      if (!deep) return different;
      const changed = cached.filter((object) => digests.get(keyOf(object)) !== digest(object));
      return [...different, ...changed.slice(0, 5).map((object) => `${keyOf(object)} has other contents`)];
    },
  };
}

/** Returns the first few keys that differ between two states. */
export function differences(
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): string[] {
  const lines: string[] = [];
  for (const [key, version] of expected) {
    if (actual.get(key) !== version) lines.push(`${key} is ${actual.get(key) ?? "missing"}, not ${version}`);
    if (lines.length >= 5) return lines;
  }
  for (const [key, version] of actual) {
    if (!expected.has(key)) lines.push(`${key} is ${version}, but deleted`);
    if (lines.length >= 5) return lines;
  }
  return lines;
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata?.uid} ${metadata?.resourceVersion}`;
}

/** Returns a hash of everything in an object but managedFields, in any order of its members. */
export function digest(object: KubeObject): string {
  const { metadata, ...rest } = object;
  const { managedFields: _, ...named } = metadata ?? {};
  return createHash("sha1")
    .update(JSON.stringify(sorted({ ...rest, metadata: named })))
    .digest("base64url");
}
