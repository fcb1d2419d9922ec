import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type ClientOptions, createClient } from "../../client.ts";
import { kubeConfigOf, listen } from "../../kube-config/testing/listen.ts";

export interface ChannelSession {
  readonly socket: WebSocket;
  /** The TCP connection of the WebSocket. */
  readonly tcp: Socket;
  readonly request: IncomingMessage;
  send(channel: number, payload: string | Uint8Array): void;
}

/** Starts a server that accepts every WebSocket request and lets the test misbehave. */
export async function channelServer(
  serve: (session: ChannelSession) => void,
  protocol = "v5.channel.k8s.io",
): Promise<{ url: string }> {
  const { server, url } = await listen((_, response) => void response.writeHead(404).end());
  const webSockets = new WebSocketServer({ server, handleProtocols: () => protocol || false });
  webSockets.on("connection", (socket, request) => {
    onTestFinished(() => socket.terminate());
    const send = (channel: number, payload: string | Uint8Array) =>
      socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(payload as string)]));
    serve({ socket, tcp: request.socket, request, send });
  });
  return { url };
}

/** Returns a client of such a server. */
export async function channelClient(
  serve: (session: ChannelSession) => void,
  options: ClientOptions & { protocol?: string } = {},
) {
  const { url } = await channelServer(serve, options.protocol);
  const client = createClient(kubeConfigOf(url), options);
  onTestFinished(() => client.close());
  return client;
}

export const success = '{"metadata":{},"status":"Success"}';
