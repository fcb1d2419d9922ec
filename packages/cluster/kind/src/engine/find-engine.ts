/** The programs that kind can work with. */
export type EngineName = "docker" | "podman" | "nerdctl";

/** A container engine that has answered. */
export interface Engine {
  readonly name: EngineName;
  /** Absolute path of its command line. */
  readonly path: string;
  /** The server's own version, as it says it. */
  readonly version: string;
  /** DOCKER_HOST or CONTAINER_HOST, where that is set. */
  readonly host?: string;
}

export interface FindEngineOptions {
  /** Whose PATH, DOCKER_HOST and KIND_EXPERIMENTAL_PROVIDER count. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/**
 * The engine that KIND_EXPERIMENTAL_PROVIDER names, or the first of docker, podman and nerdctl that answers. Throws
 * KindError `engine-missing`, `engine-not-running` or `engine-permission`, within two seconds.
 */
export async function findEngine(_options: FindEngineOptions = {}): Promise<Engine> {
  throw new Error("not there yet");
}
