import type { Duplex } from "node:stream";
import { ApiStatusError, badRequest, internalError, notFound } from "../../apimachinery/errors.ts";

/** A container of a Pod, as a kubelet is asked for it. */
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
 * A byte stream to an endpoint of a Service.
 * @param port number or name
 * @throws Error in the words of a real server, when there is no such port or no ready endpoint
 */
export type DialService = (namespace: string, name: string, port: number | string) => Promise<Duplex>;

/** The client's side of a running process. */
export interface ContainerStreams {
  /** Ends when the client closes its standard input. */
  stdin: AsyncIterable<Uint8Array>;
  /** Raw bytes. Resolves when more can be taken. */
  stdout(chunk: Uint8Array): Promise<void>;
  stderr(chunk: Uint8Array): Promise<void>;
  /** Size of the client's terminal, in characters, whenever it changes. */
  resize: AsyncIterable<{ width: number; height: number }>;
  /** Aborted when the client went away. */
  signal: AbortSignal;
}

/**
 * What the API server asks of a node: what a real kubelet serves over its HTTPS API.
 *
 * An Error with a numeric `code` (400, 404) becomes a Status of that code; any other becomes an InternalError with the
 * Error's words, which are then those of the container runtime.
 */
export interface NodeConnection {
  logs(request: LogRequest): AsyncIterable<Uint8Array>;
  /** Resolves when the process has ended. Rejects when it cannot be started. */
  exec(request: ExecRequest, streams: ContainerStreams): Promise<{ exitCode: number }>;
  /** Resolves when the container has ended, or the client has gone. */
  attach(request: AttachRequest, streams: ContainerStreams): Promise<{ exitCode: number }>;
  /** A byte stream to the port, which the caller ends or destroys. Rejects in the words of a real kubelet. */
  portForward(request: PortForwardRequest): Promise<Duplex>;
  /** A connection on which the kubelet speaks HTTP/1.1: its API, for nodes/x/proxy. */
  api(): Promise<Duplex>;
}

/** What a node refused with, as a Status. */
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
