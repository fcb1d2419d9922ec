import type { Clock, TransportRequest } from "@operator-path/client";
import type { Random } from "../random.ts";
import { createChannel } from "../server/channel.ts";
import { socketError, statusOf } from "./errors.ts";
import type { Fault } from "./fault.ts";
import { createPieces, type Pieces } from "./pieces.ts";

export type Break = { how: "reset" | "close" | "silence" | "truncate"; share?: number };

export interface FaultyStreamOptions {
  request: TransportRequest;
  fault: Fault | undefined;
  clock: Clock;
  pieces: Pieces;
  random: Random;
  /** The lines of earlier streams of this path, the oldest first. This stream adds its own. */
  earlier: Uint8Array[];
  /** Called when the stream ends for its reader. */
  onClosed(): void;
}

const remembered = 40;

/** A stream with faults: while it opens, after some lines, or from outside at any time. */
export function createFaultyStream(inner: AsyncIterable<Uint8Array>, options: FaultyStreamOptions) {
  const { request, fault, clock, random, earlier, onClosed } = options;
  const { signal } = request;
  let silent = false;
  /** Cuts the next line there, and ends the stream. */
  let cutNext: number | undefined;
  let lines = 0;

  const body = createChannel(() => {
    signal?.removeEventListener("abort", onAbort);
    clock.clearTimeout(brief);
    onClosed();
  });
  const onAbort = () => body.fail(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const pieces = createPieces(options.pieces, random, (bytes) => {
    if (!silent) body.push(bytes);
  });

  function end(how: "reset" | "close" | "silence"): void {
    pieces.flush();
    if (how === "silence") silent = true;
    else if (how === "close") body.end();
    else body.fail(socketError(request, "ECONNRESET", "aborted"));
  }

  function last(line: string): void {
    pieces.pass(Buffer.from(line));
    end("close");
  }

  function cut(line: Uint8Array, share: number, how: "reset" | "close" | "silence"): void {
    pieces.pass(line.subarray(0, Math.floor(line.length * share)));
    end(how);
  }

  function pass(line: Uint8Array): void {
    const isDue = fault && "afterLines" in fault && lines === fault.afterLines;
    if (cutNext !== undefined) cut(line, cutNext, "close");
    else if (isDue && fault.kind === "cut") cut(line, fault.share, fault.how);
    else if (isDue && fault.kind === "error event") {
      last(`${JSON.stringify({ type: "ERROR", object: statusOf(fault.code) })}\n`);
    } else if (isDue && fault.kind === "garbage") last(fault.text);
    else {
      pieces.pass(line);
      if (fault?.kind === "twice" && lines < fault.lines) pieces.pass(line);
      lines++;
      if (isEvent(line)) earlier.push(line);
      if (earlier.length > remembered) earlier.shift();
    }
  }

  async function pump(): Promise<void> {
    try {
      const { resourceVersion, sendInitialEvents } = request.query ?? {};
      if (fault?.kind === "old" && Number(resourceVersion ?? 0) > 0 && !sendInitialEvents) {
        for (const line of earlier.slice(-fault.lines)) pieces.pass(line);
      }
      for await (const line of wholeLines(inner)) {
        if (!body.open) return;
        if (!silent) pass(line);
      }
      if (!silent) end("close");
    } catch (error) {
      if (!silent) body.fail(error);
    }
  }
  const brief = fault?.kind === "brief" ? clock.setTimeout(() => end(fault.how), fault.ms) : undefined;
  void pump();

  return {
    body,
    /** Breaks the stream at any moment. A quiet stream is truncated at its next line. */
    break({ how, share = 0.5 }: Break): void {
      if (how === "truncate") cutNext = share;
      else end(how);
    },
  };
}

/** Whether a line is an event other than ERROR, and not a proxy's page. */
function isEvent(line: Uint8Array): boolean {
  return /^\{"type":"(ADDED|MODIFIED|DELETED|BOOKMARK)"/.test(
    Buffer.from(line.subarray(0, 20)).toString("latin1"),
  );
}

const newline = 0x0a;

/** Splits chunks into whole lines with their newline. A rest without one is passed on at the end. */
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
