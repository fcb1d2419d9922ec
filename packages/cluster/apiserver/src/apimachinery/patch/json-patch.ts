import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";

/**
 * The patch cannot be applied to the document. For a client's patch, a real server answers every cause with
 * the same 422. For a webhook's patch it reports the message of gopkg.in/evanphx/json-patch.
 */
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
 * The most bytes of JSON that the copies of a patch may add, because each one may double the document
 * (JSONPatchMaxCopyBytes).
 */
const maximumCopiedBytes = 3 * 1024 * 1024;

/**
 * Applies RFC 6902 operations in a real server's dialect, which fast-json-patch does not have:
 * - `replace` of a missing member adds it
 * - `copy` of a missing member copies null
 * - `test` for null passes for a missing member
 * - text before the first slash of a path is ignored The document is not changed. `__proto__` is a member
 *   like any other.
 *
 * @throws JsonPatchError
 */
export function jsonPatch(document: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject {
  let root = structuredClone(document);
  const copied = { bytes: 0 };
  for (const operation of operations) {
    if (operation.op === "replace" && operation.path === "") root = wholeDocument(operation.value);
    else apply(root, operation, copied);
  }
  return root;
}

function wholeDocument(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return structuredClone(value);
  throw new JsonPatchError("replace operation value must be object or array: %!w(<nil>)");
}

function apply(root: JsonObject, operation: JsonPatchOperation, sofar: { bytes: number }): void {
  const { op, path } = operation;
  if (typeof path !== "string") {
    throw new JsonPatchError(`${String(op)} operation failed to decode path: missing value`);
  }
  const value = operation.value ?? null;
  switch (op) {
    case "add":
      add(
        root,
        path,
        structuredClone(value),
        `add operation does not apply: doc is missing path: "${path}"`,
        "add",
      );
      return;
    case "remove":
      remove(root, path, `remove operation does not apply: doc is missing path: "${path}"`, "remove");
      return;
    case "replace":
      replace(root, path, structuredClone(value));
      return;
    case "move": {
      const from = fromOf(operation);
      const moved = remove(
        root,
        from,
        `move operation does not apply: doc is missing from path: ${from}`,
        "move",
      );
      add(
        root,
        path,
        moved,
        `move operation does not apply: doc is missing destination path: ${path}`,
        "move",
      );
      return;
    }
    case "copy": {
      const from = fromOf(operation);
      const missing = `copy operation does not apply: doc is missing from path: ${from}`;
      const { container, key } = locate(root, from, missing);
      const source = read(container, key) ?? null;
      sofar.bytes += Buffer.byteLength(JSON.stringify(source));
      if (sofar.bytes > maximumCopiedBytes) {
        throw new JsonPatchError(
          `Unable to complete the copy, the accumulated size increase of copy is ${sofar.bytes}, exceeding the limit ${maximumCopiedBytes}`,
        );
      }
      add(
        root,
        path,
        structuredClone(source),
        `copy operation does not apply: doc is missing destination path: ${path}`,
        "copy",
      );
      return;
    }
    case "test": {
      const found = test(root, path);
      if (!equal(found, value)) throw new JsonPatchError(`testing value ${path} failed: test failed`);
      return;
    }
    default:
      throw new JsonPatchError(`Unexpected kind: ${String(op)}`);
  }
}

type Container = JsonObject | JsonValue[];

function fromOf(operation: JsonPatchOperation): string {
  if (typeof operation.from !== "string") {
    throw new JsonPatchError(`${operation.op} operation failed to decode from: missing value`);
  }
  return operation.from;
}

/** Returns the last step and its container, which must exist. @param missing the message if it does not */
function locate(root: JsonObject, pointer: string, missing: string): { container: Container; key: string } {
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
      throw new JsonPatchError(`${missing}: missing value`);
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
  if (!/^-?\d+$/.test(key)) {
    throw new JsonPatchError(
      `value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`,
    );
  }
  const index = Number(key) < 0 ? array.length + Number(key) : Number(key);
  if (index < 0 || index > last) {
    throw new JsonPatchError(`Unable to access invalid index: ${key}: invalid index referenced`);
  }
  return index;
}

function add(root: JsonObject, path: string, value: JsonValue, missing: string, op: string): void {
  const { container, key } = locate(root, path, missing);
  if (!Array.isArray(container)) setMember(container, key, value);
  else {
    const at =
      key === "-" ? container.length : withContext(op, path, () => indexOf(container, key, container.length));
    container.splice(at, 0, value);
  }
}

function replace(root: JsonObject, path: string, value: JsonValue): void {
  const { container, key } = locate(
    root,
    path,
    `replace operation does not apply: doc is missing path: ${path}`,
  );
  if (Array.isArray(container)) {
    container[known(container, key, path)] = value;
  } else setMember(container, key, value);
}

function remove(root: JsonObject, path: string, missing: string, op: string): JsonValue {
  const { container, key } = locate(root, path, missing);
  if (Array.isArray(container)) {
    const at = withContext(op, path, () => indexOf(container, key, container.length - 1));
    return container.splice(at, 1)[0] ?? null;
  }
  const value = getMember(container, key);
  if (value === undefined) {
    const why = `Unable to remove nonexistent key: ${key}: missing value`;
    // A message about a move has only the last step.
    throw new JsonPatchError(`error in ${op} for path: '${op === "move" ? key : path}': ${why}`);
  }
  delete container[key];
  return value;
}

function test(root: JsonObject, path: string): JsonValue {
  if (path === "") return root;
  const { container, key } = locate(root, path, `test operation does not apply: is missing path: ${path}`);
  return read(container, key) ?? null;
}

function known(array: JsonValue[], key: string, path: string): number {
  try {
    return indexOf(array, key, array.length - 1);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new JsonPatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
}

/** Adds the operation and the path to the message of an error. */
function withContext<T>(op: string, path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new JsonPatchError(`error in ${op} for path: '${path}': ${error.message}`);
  }
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
