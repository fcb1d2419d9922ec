import type { Duplex } from "node:stream";
import { ApiStatusError, badRequest, internalError, notFound } from "../../apimachinery/errors.ts";

/** A container of a Pod, as in requests to a kubelet. */
export interface ContainerReference {
  namespace: string;
  pod: string;
  container: string;
}

/** core/v1 PodLogOptions. */
export interface LogRequest extends ContainerReference {
  follow?: boolean;
  tailLines?: number;
  sinceSeconds?: number;
  /** RFC 3339. */
  sinceTime?: string;
  timestamps?: boolean;
  previous?: boolean;
  limitBytes?: number;
  signal: AbortSignal;
}

export interface AttachRequest extends ContainerReference {
  tty: boolean;
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
}

export interface ExecRequest extends AttachRequest {
  command: string[];
}

/** A port of a Pod. */
export interface PortForwardRequest {
  namespace: string;
  pod: string;
  port: number;
  signal: AbortSignal;
}

/**
 * Opens a byte stream to an endpoint of a Service.
 * @param port number or name
 * @throws Error with a real server's message, when there is no such port or no ready endpoint
 */
export type DialService = (namespace: string, name: string, port: number | string) => Promise<Duplex>;

/** The client's side of a running process. */
export interface ContainerStreams {
  /** Ends when the client closes its standard input. */
  stdin: AsyncIterable<Uint8Array>;
  /** Writes raw bytes. Resolves when more can be written. */
  stdout(chunk: Uint8Array): Promise<void>;
  stderr(chunk: Uint8Array): Promise<void>;
  /** Sizes of the client's terminal in characters, one for each change. */
  resize: AsyncIterable<{ width: number; height: number }>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * The requests of the API server to a node, which a real kubelet serves over its HTTPS API.
 *
 * An Error with a numeric `code` (400, 404) becomes a Status with that code. Any other becomes an
 * InternalError with the Error's message, which is then that of the container runtime.
 */
export interface NodeConnection {
  logs(request: LogRequest): AsyncIterable<Uint8Array>;
  /** Resolves when the process has ended. Rejects when it cannot be started. */
  exec(request: ExecRequest, streams: ContainerStreams): Promise<{ exitCode: number }>;
  /** Resolves when the container has ended, or the client has disconnected. */
  attach(request: AttachRequest, streams: ContainerStreams): Promise<{ exitCode: number }>;
  /**
   * Opens a byte stream to the port, which the caller ends or destroys. Rejects with a real kubelet's
   * message.
   */
  portForward(request: PortForwardRequest): Promise<Duplex>;
  /** Opens a connection on which the kubelet speaks HTTP/1.1: its API, for nodes/x/proxy. */
  api(): Promise<Duplex>;
}

/** Converts a node's refusal to a Status. */
export function nodeError(error: unknown, pod: string): ApiStatusError {
  if (error instanceof ApiStatusError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === 400) return badRequest(message);
  if (code === 404) {
    const status = notFound("", "pods/log", pod);
    status.status.message = message;
    return status;
  }
  return internalError(message);
}
