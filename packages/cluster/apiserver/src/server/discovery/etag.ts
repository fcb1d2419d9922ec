import { createHash } from "node:crypto";

/** A strong entity tag of some bytes, in the quotes of the ETag header: SHA-512 in capitals, as the API server's are. */
export function entityTag(bytes: Uint8Array | string): string {
  return `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
}
