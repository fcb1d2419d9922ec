/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /** A JSON pointer: "/metadata/labels/app.kubernetes.io~1name". */
  path: string;
  from?: string;
  value?: unknown;
}
