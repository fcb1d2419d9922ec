import { Duplex } from "node:stream";
import { createFrameReader, encodeFrame, type Frame, resetStatus, SpdyError } from "./frames.ts";
import { createHeaderDecoder, createHeaderEncoder, type SpdyHeaders } from "./header-block.ts";

/** One of the byte streams in a SPDY connection. `end()` closes our half (FIN), `destroy()` both (RST_STREAM). */
export interface SpdyStream extends Duplex {
  readonly id: number;
  /** As the side that opened it sent them; names in lower case. */
  readonly headers: SpdyHeaders;
  /** Accepts a stream of the peer: SYN_REPLY. Go's client sends nothing before it has this. */
  accept(): void;
}

export interface SpdyConnection {
  open(headers: SpdyHeaders): SpdyStream;
  /** Resolves when the connection is gone, for whatever reason; all its streams are closed then. */
  readonly closed: Promise<void>;
  /** Sends what is still to be sent, then closes. */
  end(): void;
  destroy(): void;
}

export interface SpdyOptions {
  /** Streams of a server have even numbers, those of a client odd ones. */
  role: "server" | "client";
  /** A stream that the peer has opened: accept() or destroy() it. Default: all are refused. */
  onStream?(stream: SpdyStream): void;
}

/** Bytes that a stream holds for a reader who does not come, before the whole connection waits for it. */
const readAhead = 1024 * 1024;
/** Read bytes are reported to the peer in portions of this size. */
const creditPortion = 32 * 1024;
/** A DATA frame of ours is at most this long, so that streams take turns. */
const frameBytes = 32 * 1024;
const maxStreams = 4096;
/** Bytes that wait for a peer who makes us answer, but does not read: above, nothing more is heard of it. */
const maxAnswers = 1024 * 1024;

/**
 * SPDY/3.1 over any byte stream: a TLS socket, a WebSocket (KEP-4006).
 *
 * Flow control: what is read is credited with WINDOW_UPDATE; what is sent does not wait for such credit, since the
 * implementation on the other side of every kubectl and kube-apiserver (moby/spdystream) never gives any: it would end
 * after 64 KiB. A peer that is too slow is felt through the byte stream below, which then holds up all of its streams,
 * and nobody else.
 */
export function createSpdyConnection(transport: Duplex, options: SpdyOptions): SpdyConnection {
  const streams = new Map<number, StreamState>();
  const encodeHeaders = createHeaderEncoder();
  const headerDecoder = createHeaderDecoder();
  const readFrames = createFrameReader();
  const remoteParity = options.role === "server" ? 1 : 0;
  let nextId = options.role === "server" ? 2 : 1;
  let lastRemote = 0;
  let sessionCredit = 0;
  let leaving = false;
  const closed = Promise.withResolvers<void>();

  function send(frame: Frame, done?: (error?: Error | null) => void): void {
    if (transport.destroyed || transport.writableEnded) done?.(new Error("the connection is closed"));
    else transport.write(encodeFrame(frame), done);
  }

  function add(id: number, headers: SpdyHeaders): StreamState {
    const state = createStream(id, headers, {
      send,
      reply: () => send({ type: "synReply", stream: id, fin: false, block: encodeHeaders({}) }),
      gone: () => {
        streams.delete(id);
        if (leaving && streams.size === 0) transport.end();
      },
    });
    streams.set(id, state);
    return state;
  }

  async function handle(frame: Frame): Promise<void> {
    switch (frame.type) {
      case "synStream": {
        const headers = await headerDecoder.decode(frame.block);
        const { stream: id } = frame;
        if (id % 2 !== remoteParity || id <= lastRemote) return reset(id, resetStatus.protocolError);
        lastRemote = id;
        if (options.onStream === undefined || leaving || streams.size >= maxStreams)
          return reset(id, resetStatus.refusedStream);
        const state = add(id, headers);
        if (frame.fin) state.ended();
        if (frame.unidirectional) state.stream.end();
        options.onStream(state.stream);
        return;
      }
      case "synReply":
      case "headers":
        await headerDecoder.decode(frame.block);
        if (frame.fin) streams.get(frame.stream)?.ended();
        return;
      case "data": {
        // A stream that has gone: the peer has not heard of it yet.
        await streams.get(frame.stream)?.receive(frame.data);
        if (frame.fin) streams.get(frame.stream)?.ended();
        sessionCredit += frame.data.length;
        if (sessionCredit < creditPortion) return;
        send({ type: "windowUpdate", stream: 0, delta: sessionCredit });
        sessionCredit = 0;
        return;
      }
      case "rstStream":
        streams.get(frame.stream)?.reset();
        return;
      case "ping":
        if (frame.id % 2 === remoteParity) send(frame);
        return;
      case "goAway":
        leaving = true;
        return;
    }
  }

  function reset(stream: number, status: number): void {
    send({ type: "rstStream", stream, status });
  }

  /** Resolves when the peer has read, or has gone. */
  async function relieved(): Promise<void> {
    if (transport.writableLength <= maxAnswers || transport.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        transport.off("drain", done).off("close", done);
        resolve();
      };
      transport.on("drain", done).on("close", done);
    });
  }

  async function read(): Promise<void> {
    try {
      for await (const chunk of transport as AsyncIterable<Uint8Array>) {
        for (const frame of readFrames(chunk)) {
          await handle(frame);
          if (frame.type === "ping" || frame.type === "synStream") await relieved();
        }
      }
    } catch (error) {
      // Whoever speaks another protocol is told so; a connection that broke needs no answer.
      if (error instanceof SpdyError) send({ type: "goAway", lastStream: lastRemote, status: 1 });
    } finally {
      transport.destroy();
    }
  }

  transport.on("error", () => {});
  transport.once("close", () => {
    for (const { stream } of streams.values()) stream.destroy();
    headerDecoder.close();
    closed.resolve();
  });
  void read();

  return {
    open(headers) {
      const id = nextId;
      nextId += 2;
      const { stream } = add(id, headers);
      send({
        type: "synStream",
        stream: id,
        fin: false,
        unidirectional: false,
        block: encodeHeaders(headers),
      });
      return stream;
    },
    closed: closed.promise,
    end() {
      if (leaving) return;
      leaving = true;
      send({ type: "goAway", lastStream: lastRemote, status: 0 });
      if (streams.size === 0) transport.end();
    },
    destroy: () => void transport.destroy(),
  };
}

interface StreamState {
  readonly stream: SpdyStream;
  /** Resolves when more can be taken. */
  receive(data: Uint8Array): Promise<void>;
  /** The peer sends no more. */
  ended(): void;
  reset(): void;
}

interface StreamHooks {
  send(frame: Frame, done?: (error?: Error | null) => void): void;
  reply(): void;
  gone(): void;
}

function createStream(id: number, headers: SpdyHeaders, hooks: StreamHooks): StreamState {
  let finished = false;
  let remoteEnded = false;
  let credit = 0;
  let wake = () => {};
  const duplex = new Duplex({
    readableHighWaterMark: readAhead,
    read() {
      wake();
    },
    write(chunk: Uint8Array, _encoding, done) {
      const next = (at: number) => {
        const data = chunk.subarray(at, at + frameBytes);
        const last = at + data.length >= chunk.length;
        hooks.send({ type: "data", stream: id, fin: false, data }, (error) => {
          if (error || last) done(error);
          else next(at + data.length);
        });
      };
      next(0);
    },
    final(done) {
      finished = true;
      hooks.send({ type: "data", stream: id, fin: true, data: Buffer.alloc(0) }, done);
    },
    destroy(error, done) {
      if (!finished || !remoteEnded)
        hooks.send({ type: "rstStream", stream: id, status: resetStatus.cancel });
      hooks.gone();
      wake();
      done(error);
    },
  });
  // A stream breaks with its connection; whoever reads or writes it sees that there.
  duplex.on("error", () => {});
  const stream: SpdyStream = Object.assign(duplex, { id, headers, accept: hooks.reply });
  return {
    stream,
    async receive(data) {
      if (data.length === 0 || remoteEnded) return;
      if (!stream.push(data)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (stream.destroyed) resolve();
        });
      }
      credit += data.length;
      if (credit < creditPortion || stream.destroyed) return;
      hooks.send({ type: "windowUpdate", stream: id, delta: credit });
      credit = 0;
    },
    ended() {
      if (remoteEnded) return;
      remoteEnded = true;
      stream.push(null);
    },
    reset() {
      finished = true;
      remoteEnded = true;
      stream.destroy(new Error("the peer reset the stream"));
    },
  };
}
