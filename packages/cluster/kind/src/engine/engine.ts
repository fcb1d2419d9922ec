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
  /** Of the machine that runs the containers; a kubelet of Kubernetes 1.35 or newer refuses 1 unless told otherwise. */
  readonly cgroup?: 1 | 2;
}
