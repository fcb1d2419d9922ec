import { brotliDecompressSync } from "node:zlib";
import { protobufTypes } from "../../generated/protobuf.ts";

/** One field of a Go struct that has both a protobuf and a JSON form. */
export interface ProtobufField {
  number: string;
  /** In JSON. */
  name: string;
  /** A scalar (string, int, time, quantity, …), `items:` and a type for a list in a message of its own, or a message. */
  type: string;
  repeated?: boolean;
  /** From strings to the type. */
  map?: boolean;
  /** A zero is left out of JSON. Without it, it was sent on purpose. */
  omitZero?: boolean;
  /** Its fields are the outer message's own in JSON. */
  inline?: boolean;
}

export interface ProtobufTypes {
  /** `group/version/Kind` (`v1/Pod` for the core group) → message. */
  kinds: Record<string, string>;
  messages: Record<string, ProtobufField[]>;
}

let types: ProtobufTypes | undefined;

/** Read when the first body in protobuf comes: 2 ms. */
export function readProtobufTypes(): ProtobufTypes {
  types ??= JSON.parse(
    brotliDecompressSync(Buffer.from(protobufTypes, "base64")).toString(),
  ) as ProtobufTypes;
  return types;
}
