import type { JsonPatchOperation } from "@operator-path/client";
import { isEqualJson, isObject } from "../../client/merge-patch.ts";

/**
 * Applies a JSON patch (RFC 6902) to a copy of a document and returns it.
 *
 * @throws Error naming the operation that does not apply
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root = { document: structuredClone(document) };
  for (const { op, path, from = "", value } of operations) {
    if (op === "add") add(root, path, structuredClone(value));
    else if (op === "remove") take(root, path, op);
    else if (op === "replace") {
      take(root, path, op);
      add(root, path, structuredClone(value));
    } else if (op === "move") add(root, path, take(root, from, op));
    else if (op === "copy") add(root, path, structuredClone(read(root, from, op)));
    else if (op === "test") {
      if (!isEqualJson(read(root, path, op), value)) throw new Error(`testing value ${path} failed`);
    } else throw new Error(`unexpected kind: ${String(op)}`);
  }
  return root.document;
}

interface Root {
  document: unknown;
}

/** Returns the parts of a path below "/document", so that the document itself is a member like any other. */
function parts(path: string): [string[], string] {
  const all = ["document", ...path.split("/").slice(1)].map((part) =>
    part.replace(/~1/g, "/").replace(/~0/g, "~"),
  );
  return [all.slice(0, -1), all.at(-1) ?? ""];
}

function parentOf(root: Root, path: string, op: string): [parent: object, name: string] {
  const [way, name] = parts(path);
  let at: unknown = root;
  for (const part of way) {
    at = at !== null && typeof at === "object" && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined;
  }
  if (Array.isArray(at) || isObject(at)) return [at, name];
  throw missing(op, path);
}

function read(root: Root, path: string, op: string): unknown {
  const [parent, name] = parentOf(root, path, op);
  const isThere = Array.isArray(parent)
    ? /^\d+$/.test(name) && Number(name) < parent.length
    : Object.hasOwn(parent, name);
  if (isThere) return Reflect.get(parent, name);
  if (op === "test") return undefined;
  throw missing(op, path);
}

function add(root: Root, path: string, value: unknown): void {
  const [parent, name] = parentOf(root, path, "add");
  if (!Array.isArray(parent)) {
    Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = name === "-" ? parent.length : Number(name);
  if (!Number.isInteger(index) || index < 0 || index > parent.length) throw missing("add", path);
  parent.splice(index, 0, value);
}

function take(root: Root, path: string, op: string): unknown {
  const value = read(root, path, op);
  const [parent, name] = parentOf(root, path, op);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent, name);
  return value;
}

function missing(op: string, path: string): Error {
  return new Error(`${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}`);
}
