import { stringOf } from "./text.ts";

/** Names are at most 253 bytes and namespaces 63. */
const scratch = Buffer.alloc(512);
const slash = 0x2f;

/**
 * "namespace/name", or "name" of what has no namespace, made in one piece: a string that is put together of two is taken
 * apart again by every map that it is looked up in.
 *
 * @param nameAt where the string is, -1 when there is none
 * @param nameEnd what skipText returned for it; so with the namespace
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
