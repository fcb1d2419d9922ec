/** The body is not valid protobuf. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/** A field as encoded, without its meaning. */
export interface WireField {
  number: number;
  /** A varint as a bigint. 64 and 32 bits as their bytes. Otherwise the bytes of a string or message. */
  value: bigint | Buffer;
}

/** Yields the fields of a message. @throws ProtobufError if the message is truncated */
export function* readFields(bytes: Buffer): Generator<WireField> {
  let position = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[position++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError("unexpected EOF");
  }

  function take(length: number): Buffer {
    if (length < 0 || position + length > bytes.length) throw new ProtobufError("unexpected EOF");
    position += length;
    return bytes.subarray(position - length, position);
  }

  while (position < bytes.length) {
    const key = varint();
    const number = Number(key >> 3n);
    switch (Number(key & 7n)) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: take(8) };
        break;
      case 2:
        yield { number, value: take(Number(varint())) };
        break;
      case 5:
        yield { number, value: take(4) };
        break;
      default:
        throw new ProtobufError(`illegal wireType ${key & 7n}`);
    }
  }
}
