/**
 * The frames of SPDY/3.1 (draft-mbelshe-httpbis-spdy-00 with the session window of 3.1). Header blocks are
 * compressed.
 */
export type Frame =
  | { type: "data"; stream: number; fin: boolean; data: Uint8Array }
  | { type: "synStream"; stream: number; fin: boolean; unidirectional: boolean; block: Uint8Array }
  | { type: "synReply"; stream: number; fin: boolean; block: Uint8Array }
  | { type: "headers"; stream: number; fin: boolean; block: Uint8Array }
  | { type: "rstStream"; stream: number; status: number }
  | { type: "settings"; values: readonly { id: number; value: number }[] }
  | { type: "ping"; id: number }
  | { type: "goAway"; lastStream: number; status: number }
  | { type: "windowUpdate"; stream: number; delta: number };

/** Status codes of RST_STREAM. */
export const resetStatus = { protocolError: 1, refusedStream: 3, cancel: 5 } as const;

const control = 0x8000_0000;
const version = 3;
const finFlag = 1;
const unidirectionalFlag = 2;

const types = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** The maximum size of a DATA frame in bytes. */
export const maxData = 0xff_ffff;

export function encodeFrame(frame: Frame): Buffer {
  switch (frame.type) {
    case "data":
      return Buffer.concat([head(frame.stream, frame.fin ? finFlag : 0, frame.data.length), frame.data]);
    case "synStream": {
      const flags = (frame.fin ? finFlag : 0) | (frame.unidirectional ? unidirectionalFlag : 0);
      // No associated stream, priority 0, no slot.
      return controlFrame("synStream", flags, words(frame.stream, 0), Buffer.alloc(2), frame.block);
    }
    case "synReply":
    case "headers":
      return controlFrame(frame.type, frame.fin ? finFlag : 0, words(frame.stream), frame.block);
    case "rstStream":
      return controlFrame("rstStream", 0, words(frame.stream, frame.status));
    case "settings":
      return controlFrame(
        "settings",
        0,
        words(frame.values.length, ...frame.values.flatMap(({ id, value }) => [id, value])),
      );
    case "ping":
      return controlFrame("ping", 0, words(frame.id));
    case "goAway":
      return controlFrame("goAway", 0, words(frame.lastStream, frame.status));
    case "windowUpdate":
      return controlFrame("windowUpdate", 0, words(frame.stream, frame.delta));
  }
}

function controlFrame(type: keyof typeof types, flags: number, ...payload: Uint8Array[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([head((control | (version << 16) | types[type]) >>> 0, flags, length), ...payload]);
}

function head(first: number, flags: number, length: number): Buffer {
  return words(first, ((flags << 24) | length) >>> 0);
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    buffer.writeUInt32BE(value, i * 4);
  });
  return buffer;
}

/** The peer does not speak SPDY/3.1. The rest of the connection cannot be parsed. */
export class SpdyError extends Error {
  override readonly name = "SpdyError";
}

/** The maximum size of a control frame in bytes. The header blocks of Kubernetes have a few hundred bytes. */
const maxControlBytes = 64 * 1024;

/**
 * Splits a byte stream into frames. It yields the bytes of a DATA frame as they arrive, as several frames;
 * only the last one has the FIN.
 *
 * @throws SpdyError
 */
export function createFrameReader(): (chunk: Uint8Array) => Generator<Frame> {
  let rest: Buffer = Buffer.alloc(0);
  let data: { stream: number; fin: boolean; left: number } | undefined;

  return function* (chunk) {
    rest =
      rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([rest, chunk]);
    for (;;) {
      if (data !== undefined) {
        if (rest.length === 0) return;
        const piece = rest.subarray(0, data.left);
        rest = rest.subarray(piece.length);
        const { stream, fin } = data;
        const last = piece.length === data.left;
        data = last ? undefined : { stream, fin, left: data.left - piece.length };
        yield { type: "data", stream, fin: fin && last, data: piece };
        continue;
      }
      if (rest.length < 8) return;
      const first = rest.readUInt32BE(0);
      const second = rest.readUInt32BE(4);
      const flags = second >>> 24;
      const length = second & maxData;
      if (first < control) {
        rest = rest.subarray(8);
        const fin = (flags & finFlag) !== 0;
        if (length === 0) yield { type: "data", stream: first, fin, data: Buffer.alloc(0) };
        else data = { stream: first, fin, left: length };
        continue;
      }
      if (length > maxControlBytes) throw new SpdyError(`a control frame of ${length} bytes`);
      if (rest.length < 8 + length) return;
      const payload = rest.subarray(8, 8 + length);
      rest = rest.subarray(8 + length);
      const given = (first >>> 16) & 0x7fff;
      if (given !== version) throw new SpdyError(`SPDY version ${given}`);
      const frame = parseControl(first & 0xffff, flags, payload);
      if (frame !== undefined) yield frame;
    }
  };
}

/**
 * Returns undefined for an unknown type, which must be ignored.
 *
 * @throws SpdyError when the frame is too short
 */
function parseControl(type: number, flags: number, payload: Buffer): Frame | undefined {
  const word = (index: number) => {
    if (payload.length < index * 4 + 4)
      throw new SpdyError(`a frame of type ${type} with ${payload.length} bytes`);
    return payload.readUInt32BE(index * 4);
  };
  const stream = () => word(0) & 0x7fff_ffff;
  const fin = (flags & finFlag) !== 0;
  switch (type) {
    case types.synStream:
      if (payload.length < 10) throw new SpdyError(`SYN_STREAM with ${payload.length} bytes`);
      return {
        type: "synStream",
        stream: stream(),
        fin,
        unidirectional: (flags & unidirectionalFlag) !== 0,
        block: payload.subarray(10),
      };
    case types.synReply:
      return { type: "synReply", stream: stream(), fin, block: payload.subarray(4) };
    case types.headers:
      return { type: "headers", stream: stream(), fin, block: payload.subarray(4) };
    case types.rstStream:
      return { type: "rstStream", stream: stream(), status: word(1) };
    case types.settings: {
      const count = word(0);
      if (payload.length < 4 + count * 8) throw new SpdyError(`SETTINGS with ${payload.length} bytes`);
      const values = Array.from({ length: count }, (_, i) => ({
        id: word(1 + i * 2) & maxData,
        value: word(2 + i * 2),
      }));
      return { type: "settings", values };
    }
    case types.ping:
      return { type: "ping", id: word(0) };
    case types.goAway:
      return { type: "goAway", lastStream: stream(), status: word(1) };
    case types.windowUpdate:
      return { type: "windowUpdate", stream: stream(), delta: word(1) & 0x7fff_ffff };
    default:
      return undefined;
  }
}
