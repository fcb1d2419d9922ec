import { createHash } from "node:crypto";
import type { KubeObject } from "@operator-path/client";
import { sorted } from "../../server/objects.ts";

/** Stands for everything in an object but managedFields, in whatever order its members come. */
export function digest(object: KubeObject): string {
  const { metadata, ...rest } = object;
  const { managedFields: _, ...named } = metadata ?? {};
  return createHash("sha1")
    .update(JSON.stringify(sorted({ ...rest, metadata: named })))
    .digest("base64url");
}
