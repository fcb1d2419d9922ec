import { stringOf } from "./text.ts";

/** Names have at most 253 bytes, namespaces 63. */
const scratch = Buffer.alloc(512);
const slash = 0x2f;

/**
 * Returns "namespace/name", or "name" if there is no namespace. Builds the string in one piece: V8 would
 * flatten a concatenated string again in every map lookup.
 *
 * @param nameAt offset of the name, -1 if it is missing; the same for the namespace
 * @param nameEnd the result of skipText for the name; the same for the namespace
 */
export function keyText(
  bytes: Buffer,
  namespaceAt: number,
  namespaceEnd: number,
  nameAt: number,
  nameEnd: number,
): string {
  const namespaceLength = namespaceEnd - namespaceAt - 2;
  const length = namespaceLength + 1 + nameEnd - nameAt - 2;
  if (namespaceEnd > 0 && nameEnd > 0 && namespaceLength > 0 && length <= scratch.length) {
    let to = 0;
    for (let at = namespaceAt + 1; at < namespaceEnd - 1; at++) scratch[to++] = bytes[at] as number;
    scratch[to++] = slash;
    for (let at = nameAt + 1; at < nameEnd - 1; at++) scratch[to++] = bytes[at] as number;
    return scratch.toString("utf8", 0, to);
  }
  const name = nameAt < 0 ? "" : stringOf(bytes, nameAt, nameEnd, "metadata.name");
  const namespace = namespaceAt < 0 ? "" : stringOf(bytes, namespaceAt, namespaceEnd, "metadata.namespace");
  return namespace === "" ? name : `${namespace}/${name}`;
}
