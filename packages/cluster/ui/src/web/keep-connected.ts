import type { Clock, TimerHandle } from "@operator-path/client";
import { beat } from "../cluster/wire.ts";

/** What is used of a WebSocket. */
export interface Socket {
  onmessage: ((message: MessageEvent<string>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  close(): void;
}

export interface ConnectionOptions {
  /** Opens a WebSocket to a server that sends something at least every `beat` milliseconds. */
  open(): Socket;
  readonly clock: Pick<Clock, "setTimeout" | "clearTimeout">;
  onMessage(text: string): void;
  /** Called when the socket has closed or is silent, and after each attempt that fails. */
  onLost(): void;
}

/** A browser's timers. */
export const browserClock: ConnectionOptions["clock"] = {
  setTimeout: (callback, milliseconds) => window.setTimeout(callback, milliseconds),
  clearTimeout: (handle) => window.clearTimeout(handle as number | undefined),
};

/** Beats without a message. A busy server may be late. */
const mostMissed = 5;
/** Milliseconds before the next attempt. */
const patience = { first: 500, most: 2000 } as const;

/**
 * Keeps a connection: opens a socket, and another one when it closes or falls silent. A server that hangs leaves its
 * sockets open.
 *
 * Silence is counted in timers, not read from a clock: a machine that slept has missed one beat only.
 *
 * @returns a function that ends the connection
 */
export function keepConnected({ open, clock, onMessage, onLost }: ConnectionOptions): () => void {
  let socket: Socket | undefined;
  let timer: TimerHandle;
  let delay: number = patience.first;
  let missed = 0;

  function connect(): void {
    missed = 0;
    socket = open();
    socket.onmessage = ({ data }) => {
      missed = 0;
      delay = patience.first;
      onMessage(data);
    };
    socket.onclose = lose;
    timer = clock.setTimeout(check, beat);
  }

  function check(): void {
    missed++;
    if (missed >= mostMissed) lose();
    else timer = clock.setTimeout(check, beat);
  }

  function lose(): void {
    leave();
    timer = clock.setTimeout(connect, delay);
    delay = Math.min(2 * delay, patience.most);
    onLost();
  }

  function leave(): void {
    clock.clearTimeout(timer);
    if (!socket) return;
    // The close of a socket that hangs may take minutes.
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    socket = undefined;
  }

  connect();
  return leave;
}
