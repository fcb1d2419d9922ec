import { once } from "node:events";
import { duplexPair } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants, createDeflate } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSpdyConnection, type SpdyStream } from "./connection.ts";
import { createFrameReader, encodeFrame, type Frame } from "./frames.ts";
import { createHeaderDecoder, createHeaderEncoder, headerDictionary } from "./header-block.ts";

const id = fc.integer({ min: 1, max: 0x7fff_ffff });
const bytes = fc.uint8Array({ maxLength: 300 });
const word = fc.integer({ min: 0, max: 0xffff_ffff });
const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ type: fc.constant("data"), stream: id, fin: fc.boolean(), data: bytes }),
  fc.record({
    type: fc.constant("synStream"),
    stream: id,
    fin: fc.boolean(),
    unidirectional: fc.boolean(),
    block: bytes,
  }),
  fc.record({
    type: fc.constantFrom("synReply", "headers"),
    stream: id,
    fin: fc.boolean(),
    block: bytes,
  }),
  fc.record({ type: fc.constant("rstStream"), stream: id, status: word }),
  fc.record({
    type: fc.constant("settings"),
    values: fc.array(fc.record({ id: fc.integer({ min: 0, max: 0xff_ffff }), value: word }), {
      maxLength: 4,
    }),
  }),
  fc.record({ type: fc.constant("ping"), id: word }),
  fc.record({ type: fc.constant("goAway"), lastStream: id, status: word }),
  fc.record({ type: fc.constant("windowUpdate"), stream: id, delta: id }),
) as fc.Arbitrary<Frame>;

/** Joins adjacent DATA frames and turns bytes into text, to compare frames. */
function merged(list: Frame[]): unknown[] {
  const out: { [key: string]: unknown }[] = [];
  for (const frame of list) {
    const last = out.at(-1);
    const plain = Object.fromEntries(
      Object.entries(frame).map(([key, value]) => [
        key,
        value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
      ]),
    );
    if (
      frame.type === "data" &&
      last?.type === "data" &&
      last.stream === frame.stream &&
      last.fin === false
    ) {
      last.data = `${last.data}${plain.data}`;
      last.fin = frame.fin;
    } else out.push(plain);
  }
  return out;
}

describe("frames", () => {
  test("are decoded as they were encoded, wherever the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(frames, { maxLength: 8 }), fc.array(fc.nat(2000)), (list, cuts) => {
        const wire = Buffer.concat(list.map(encodeFrame));
        const read = createFrameReader();
        const points = [0, ...cuts.map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
        const seen = points.slice(1).flatMap((end, i) => [...read(wire.subarray(points[i], end))]);
        expect(merged(seen)).toEqual(merged(list));
      }),
    );
  });

  test("with random bytes are rejected or ignored, without any other effect", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
        const read = createFrameReader();
        try {
          for (const chunk of chunks) for (const _ of read(chunk));
        } catch (error) {
          expect(error).toMatchObject({ name: "SpdyError" });
        }
      }),
    );
  });
});

describe("header blocks", () => {
  const headers = { streamtype: "data", port: "8080", requestid: "17" };

  test("of one connection share one zlib stream", async () => {
    const encode = createHeaderEncoder();
    const decoder = createHeaderDecoder();
    for (const block of [headers, {}, { ...headers, requestid: "18" }])
      expect(await decoder.decode(encode(block))).toEqual(block);
    decoder.close();
  });

  test("compressed with the dictionary are decoded", async () => {
    const deflate = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
    const plain = createHeaderEncoder();
    // After the two bytes of zlib and the five of the stored block, before the five of the empty block.
    await new Promise((resolve) => deflate.write(plain(headers).subarray(7, -5), resolve));
    const decoder = createHeaderDecoder();
    expect(await decoder.decode(deflate.read() as Buffer)).toEqual(headers);
    decoder.close();
  });

  test("that are invalid or decompress to a huge size are rejected", async () => {
    const deflate = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
    await new Promise((resolve) => deflate.write(Buffer.alloc(10_000_000), resolve));
    await expect(createHeaderDecoder().decode(deflate.read() as Buffer)).rejects.toMatchObject({
      name: "SpdyError",
    });
    await expect(createHeaderDecoder().decode(Buffer.from("nonsense"))).rejects.toMatchObject({
      name: "SpdyError",
    });
  });
});

/** Reads a stream to its end. buffer() would also close the other half. */
async function whole(stream: SpdyStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(stream, "end");
  return Buffer.concat(chunks);
}

/** Connects a client to a server. The server accepts all streams and returns them. */
function connect(onStream: (stream: SpdyStream) => void = (stream) => stream.accept()) {
  const [near, far] = duplexPair();
  const server = createSpdyConnection(far, { role: "server", onStream });
  const client = createSpdyConnection(near, { role: "client" });
  return { server, client, near, far };
}

describe("a connection", () => {
  test("carries streams in both directions, and one half may end before the other", async () => {
    const { client } = connect(async (stream) => {
      stream.accept();
      const asked = await whole(stream);
      stream.end(`${stream.headers.port}:${asked}`);
    });
    const answers = ["a", "b", "c"].map((text, i) => {
      const stream = client.open({ port: String(i) });
      stream.end(text);
      return buffer(stream);
    });
    expect((await Promise.all(answers)).map(String)).toEqual(["0:a", "1:b", "2:c"]);
    client.end();
    await client.closed;
  });

  test("carries many bytes in order, and waits for a slow reader", async () => {
    const arrived = Promise.withResolvers<SpdyStream>();
    const { client, near } = connect((stream) => {
      stream.accept();
      arrived.resolve(stream);
    });
    const stream = client.open({});
    const sent = Buffer.alloc(20 * 1024 * 1024, "0123456789");
    let written = false;
    stream.end(sent, () => {
      written = true;
    });
    const far = await arrived.promise;
    // The other side does not read, so the writer blocks.
    let before = -1;
    while (before !== near.writableLength + far.readableLength) {
      before = near.writableLength + far.readableLength;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBe(false);
    expect(far.readableLength).toBeLessThan(2 * 1024 * 1024);
    expect((await buffer(far)).equals(sent)).toBe(true);
  });

  test("ends all its streams on both sides when it breaks", async () => {
    const seen: SpdyStream[] = [];
    const { client, server, near } = connect((stream) => {
      stream.accept();
      seen.push(stream);
    });
    const stream = client.open({});
    const answer = new Promise((resolve) => stream.once("close", resolve));
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    near.destroy();
    await Promise.all([client.closed, server.closed, answer]);
    expect(seen[0]?.destroyed).toBe(true);
  });

  test("reports a reset stream, and continues", async () => {
    const { client } = connect((stream) => {
      if (stream.headers.port === "bad") stream.destroy();
      else {
        stream.accept();
        stream.end("fine");
      }
    });
    await expect(buffer(client.open({ port: "bad" }))).rejects.toThrow("the peer reset the stream");
    expect(String(await buffer(client.open({ port: "good" })))).toBe("fine");
    client.destroy();
  });

  test("stops reading from a peer that does not read its answers", async () => {
    const [near, far] = duplexPair();
    const server = createSpdyConnection(far, { role: "server" });
    const ping = encodeFrame({ type: "ping", id: 1 });
    const pings = Buffer.concat(Array.from({ length: 300_000 }, () => ping));
    near.write(pings);
    while (far.writableLength < 512 * 1024) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(far.writableLength).toBeLessThan(1024 * 1024 + 64 * 1024);
    let answered = 0;
    near.on("data", (chunk: Buffer) => {
      answered += chunk.length;
      if (answered === pings.length) near.destroy();
    });
    await server.closed;
    expect(answered).toBe(pings.length);
  });

  test("ends if the peer speaks another protocol", async () => {
    const { server, near } = connect();
    near.write(Buffer.from("\xff\xff\xff\xffGET / HTTP/1.1\r\n\r\n", "latin1"));
    near.resume();
    await server.closed;
  });
});
