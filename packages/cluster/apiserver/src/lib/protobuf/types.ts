import { brotliDecompressSync } from "node:zlib";
import { protobufTypes } from "../../generated/protobuf.ts";

/** A field of a Go struct, with its protobuf and its JSON form. */
export interface ProtobufField {
  number: string;
  /** Name in JSON. */
  name: string;
  /**
   * A scalar (string, int, time, quantity, …), a message, or `items:` and a type for a list that is a
   * message.
   */
  type: string;
  repeated?: boolean;
  /** Whether it is a map from strings to the type. */
  map?: boolean;
  /** Whether JSON omits a zero. Otherwise a zero was sent on purpose. */
  omitZero?: boolean;
  /** Whether JSON has its fields in the outer message. */
  inline?: boolean;
}

export interface ProtobufTypes {
  /** Messages by `group/version/Kind` (`v1/Pod` in the core group). */
  kinds: Record<string, string>;
  messages: Record<string, ProtobufField[]>;
}

let types: ProtobufTypes | undefined;

/** Returns the types. Reads them when the first protobuf body arrives, which takes 2 ms. */
export function readProtobufTypes(): ProtobufTypes {
  types ??= JSON.parse(
    brotliDecompressSync(Buffer.from(protobufTypes, "base64")).toString(),
  ) as ProtobufTypes;
  return types;
}
