import { getMember, setMember } from "../fields/set-member.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** The patch cannot be applied to this document. A real server answers every cause with the same 422. */
export class JsonPatchError extends Error {
  override readonly name = "JsonPatchError";
}

export interface JsonPatchOperation {
  op?: string;
  path?: string;
  from?: string;
  value?: JsonValue;
}

/**
 * Applies RFC 6902 operations, in the dialect of a real server, which fast-json-patch does not speak: `replace` of a
 * missing member adds it, `copy` of a missing member copies null, `test` for null passes where nothing is, what stands
 * before the first slash of a path is ignored. The document is not changed. `__proto__` is a member like any other.
 * @throws JsonPatchError
 */
export function jsonPatch(document: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject {
  const root = structuredClone(document);
  for (const operation of operations) apply(root, operation);
  return root;
}

function apply(root: JsonObject, operation: JsonPatchOperation): void {
  const { op, path } = operation;
  if (typeof path !== "string") throw new JsonPatchError(`operation ${String(op)} has no path`);
  const value = operation.value ?? null;
  switch (op) {
    case "add":
      add(root, path, structuredClone(value));
      return;
    case "remove":
      remove(root, path);
      return;
    case "replace":
      replace(root, path, structuredClone(value));
      return;
    case "move": {
      const moved = remove(root, fromOf(operation));
      add(root, path, moved);
      return;
    }
    case "copy": {
      const { container, key } = locate(root, fromOf(operation));
      add(root, path, structuredClone(read(container, key) ?? null));
      return;
    }
    case "test": {
      const found = test(root, path);
      if (!equal(found, value)) throw new JsonPatchError(`testing value ${path} failed`);
      return;
    }
    default:
      throw new JsonPatchError(`unexpected kind: ${String(op)}`);
  }
}

type Container = JsonObject | JsonValue[];

function fromOf(operation: JsonPatchOperation): string {
  if (typeof operation.from !== "string") throw new JsonPatchError(`${operation.op} has no from`);
  return operation.from;
}

/** The container of the last step, which must exist, and that step. */
function locate(root: JsonObject, pointer: string): { container: Container; key: string } {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = steps.pop();
  if (key === undefined) throw new JsonPatchError("the document itself cannot be the target");
  let container: Container = root;
  for (const step of steps) {
    const next: JsonValue | undefined = read(container, step);
    if (!isJsonObject(next) && !Array.isArray(next)) {
      throw new JsonPatchError(`path ${pointer} does not exist: missing at ${step}`);
    }
    container = next;
  }
  return { container, key };
}

function read(container: Container, key: string): JsonValue | undefined {
  if (!Array.isArray(container)) return getMember(container, key);
  return container[indexOf(container, key, container.length - 1)];
}

function indexOf(array: JsonValue[], key: string, last: number): number {
  if (!/^-?\d+$/.test(key)) throw new JsonPatchError(`${key} is not an index`);
  const index = Number(key) < 0 ? array.length + Number(key) : Number(key);
  if (index < 0 || index > last) throw new JsonPatchError(`index ${key} is out of bounds`);
  return index;
}

function add(root: JsonObject, path: string, value: JsonValue): void {
  const { container, key } = locate(root, path);
  if (!Array.isArray(container)) setMember(container, key, value);
  else container.splice(key === "-" ? container.length : indexOf(container, key, container.length), 0, value);
}

function replace(root: JsonObject, path: string, value: JsonValue): void {
  const { container, key } = locate(root, path);
  if (Array.isArray(container)) container[indexOf(container, key, container.length - 1)] = value;
  else setMember(container, key, value);
}

function remove(root: JsonObject, path: string): JsonValue {
  const { container, key } = locate(root, path);
  if (Array.isArray(container)) {
    return container.splice(indexOf(container, key, container.length - 1), 1)[0] ?? null;
  }
  const value = getMember(container, key);
  if (value === undefined) throw new JsonPatchError(`path ${path} does not exist`);
  delete container[key];
  return value;
}

function test(root: JsonObject, path: string): JsonValue {
  if (path === "") return root;
  const { container, key } = locate(root, path);
  return read(container, key) ?? null;
}

function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
    );
  }
  return a === b;
}
