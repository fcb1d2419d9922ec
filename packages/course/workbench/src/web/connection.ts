import { socketUrl } from "@operator-path/ui/web";
import type { ServerMessage } from "../protocol.ts";

/** The socket of the workbench. It connects again after the server was away. */
export interface Connection {
  send(message: unknown): void;
  close(): void;
}

export interface ConnectionListener {
  message(message: ServerMessage): void;
  /** Called after each connect. What came in between is lost: read the state again. */
  connected(): void;
  disconnected(): void;
}

const longestPause = 4000;

export function connect(listener: ConnectionListener): Connection {
  let socket: WebSocket | undefined;
  let closed = false;
  let pause = 250;
  const open = (): void => {
    if (closed) return;
    const next = new WebSocket(socketUrl("/api/workbench/socket"));
    socket = next;
    next.onopen = () => {
      pause = 250;
      listener.connected();
    };
    next.onmessage = ({ data }) => listener.message(JSON.parse(String(data)) as ServerMessage);
    next.onclose = () => {
      if (closed) return;
      listener.disconnected();
      setTimeout(open, pause);
      pause = Math.min(pause * 2, longestPause);
    };
  };
  open();
  return {
    send(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}
