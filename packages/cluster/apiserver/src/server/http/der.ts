// The DER encodings (ITU-T X.690) of a certificate. Values are complete TLVs.

export function tlv(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...members: Uint8Array[]) => tlv(0x30, ...members);
export const set = (...members: Uint8Array[]) => tlv(0x31, ...members);
export const boolean = (value: boolean) => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (value: Uint8Array) => tlv(0x04, value);
export const utf8 = (value: string) => tlv(0x0c, Buffer.from(value));
/** Constructed, context-specific: `[n] EXPLICIT`. */
export const explicit = (number: number, value: Uint8Array) => tlv(0xa0 | number, value);
/** Primitive, context-specific: `[n] IMPLICIT`. */
export const implicit = (number: number, value: Uint8Array) => tlv(0x80 | number, value);

/** Encodes an INTEGER from big-endian bytes of a positive number. */
export function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tlv(0x02, Buffer.from(negative ? [0] : []), bytes);
}

export function bits(value: Uint8Array, unused = 0): Buffer {
  return tlv(0x03, Buffer.from([unused]), value);
}

/** Encodes an object identifier: `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const digits = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tlv(0x06, Buffer.from(bytes));
}

/** Encodes a UTCTime, for years before 2050. */
export function utcTime(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-T:]/g, "")}Z`));
}
