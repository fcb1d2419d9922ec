// The DER encodings (ITU-T X.690) used in a certificate. Values are complete TLVs.

export function tlv(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
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

/** Encodes an INTEGER from unsigned big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  const looksNegative = ((shortest[0] ?? 0) & 0x80) !== 0;
  return tlv(0x02, Buffer.from(looksNegative ? [0] : []), shortest);
}

export function bits(value: Uint8Array, unused = 0): Buffer {
  return tlv(0x03, Buffer.from([unused]), value);
}

/** Encodes an object identifier, e.g. `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) | 0x80);
    bytes.push(...digits);
  }
  return tlv(0x06, Buffer.from(bytes));
}

/** Encodes a time in seconds, UTC: UTCTime before 2050, then GeneralizedTime, as RFC 5280 requires. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}Z`;
  return date.getUTCFullYear() < 2050
    ? tlv(0x17, Buffer.from(digits.slice(2)))
    : tlv(0x18, Buffer.from(digits));
}
