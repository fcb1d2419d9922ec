import { Duplex } from "node:stream";
import { createFrameReader, encodeFrame, type Frame, resetStatus, SpdyError } from "./frames.ts";
import { createHeaderDecoder, createHeaderEncoder, type SpdyHeaders } from "./header-block.ts";

/**
 * A byte stream in a SPDY connection. `end()` closes our half (FIN). `destroy()` closes both halves
 * (RST_STREAM).
 */
export interface SpdyStream extends Duplex {
  readonly id: number;
  /** The headers from the side that opened the stream. Names are in lower case. */
  readonly headers: SpdyHeaders;
  /** Accepts a stream that the peer opened, with SYN_REPLY. Go's client sends nothing before that. */
  accept(): void;
}

/** A SPDY connection. */
export interface SpdyConnection {
  /** Opens a stream. */
  open(headers: SpdyHeaders): SpdyStream;
  /** Resolves when the connection and all its streams are closed, for any reason. */
  readonly closed: Promise<void>;
  /** Closes the connection when all streams have ended. Until then it rejects new streams of the peer. */
  end(): void;
  /** Closes the connection and all its streams at once. */
  destroy(): void;
}

/** Configures `createSpdyConnection`. */
export interface SpdyOptions {
  /** The streams of a server have even numbers, those of a client odd numbers. */
  role: "server" | "client";
  /**
   * Called for each stream that the peer opens. Must call accept() or destroy(). Default: rejects all
   * streams.
   */
  onStream?(stream: SpdyStream): void;
}

/** The number of unread bytes in a stream after which the whole connection waits. */
const readAhead = 1024 * 1024;
/** Read bytes are credited to the peer in portions of this size. */
const creditPortion = 32 * 1024;
/** The maximum size of our DATA frames, so that streams take turns. */
const frameBytes = 32 * 1024;
const maxStreams = 4096;
/** The number of unsent bytes after which we stop reading. A peer may provoke answers and never read them. */
const maxUnsentBytes = 1024 * 1024;

/**
 * Speaks SPDY/3.1 over any byte stream, such as a TLS socket or a WebSocket (KEP-4006).
 *
 * Flow control: we credit read bytes with WINDOW_UPDATE, but do not wait for credit before we send. The
 * implementation in every kubectl and kube-apiserver (moby/spdystream) never sends credit, so a stream would
 * stop after 64 KiB. Instead the byte stream below slows us down. A slow peer therefore delays all streams of
 * its connection, but no other connection.
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
        // The stream may be closed already, if the peer has not received our RST_STREAM yet.
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

  /** Resolves when the peer has read our answers, or the connection has closed. */
  async function drained(): Promise<void> {
    if (transport.writableLength <= maxUnsentBytes || transport.destroyed) return;
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
          if (frame.type === "ping" || frame.type === "synStream") await drained();
        }
      }
    } catch (error) {
      // GOAWAY tells the peer that it violated the protocol. A broken connection needs no answer.
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
  /** Resolves when the stream accepts more. */
  receive(data: Uint8Array): Promise<void>;
  /** Call it when the peer has sent FIN. */
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
  // A stream breaks with its connection. Readers and writers receive the error from their own calls.
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
