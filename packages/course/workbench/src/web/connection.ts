import { browserClock, keepConnected, socketUrl } from "@operator-path/ui/web";
import type { ServerMessage } from "../protocol.ts";

/** The socket of the workbench. It connects again after the server was away. */
export interface Connection {
  send(message: unknown): void;
}

export interface ConnectionListener {
  message(message: ServerMessage): void;
  /**
   * Called when the server has answered after a connect. What came in between is lost: read the state again. A server
   * that hangs may accept a socket, and not answer.
   */
  connected(): void;
  disconnected(): void;
}

export function connect(listener: ConnectionListener): Connection {
  let socket: WebSocket | undefined;
  let hasAnswered = false;
  keepConnected({
    clock: browserClock,
    open() {
      hasAnswered = false;
      socket = new WebSocket(socketUrl("/api/workbench/socket"));
      return socket;
    },
    onMessage(text) {
      if (!hasAnswered) listener.connected();
      hasAnswered = true;
      listener.message(JSON.parse(text) as ServerMessage);
    },
    onLost: () => listener.disconnected(),
  });
  return {
    send(message) {
      const text = JSON.stringify(message);
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else if (socket?.readyState === WebSocket.CONNECTING) {
        const opening = socket;
        opening.addEventListener("open", () => opening.send(text));
      }
    },
  };
}
