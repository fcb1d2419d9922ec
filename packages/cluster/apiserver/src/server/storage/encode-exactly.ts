/**
 * Encodes text as UTF-8 in memory of its own, for bytes that are kept. `Buffer.from` puts short text into a slab of
 * 64 KiB that it shares with other Buffers, and the slab stays as long as any of them does.
 */
export function encodeExactly(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
