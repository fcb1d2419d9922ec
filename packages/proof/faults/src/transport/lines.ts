const newline = 0x0a;

/** Whole lines, newline included. What is left without one is passed on as it is at the end. */
export async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    let rest = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
      yield rest.subarray(0, at + 1);
      rest = rest.subarray(at + 1);
    }
    begun = rest;
  }
  if (begun.length > 0) yield begun;
}
