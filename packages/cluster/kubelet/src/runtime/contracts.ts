import type { Clock } from "@operator-path/client";
import type { IFileSystem } from "just-bash";
import type { LocalImage } from "../images/local/image-store.ts";
import type { ImageDefaults } from "../images/local/manifest.ts";
import type { NetworkNamespace } from "../network/pod-network.ts";
import type { Mount } from "../volumes/volume.ts";
import type { BytePipe } from "./byte-pipe.ts";
import type { ContainerLog } from "./container-log.ts";
import type { ProcessTable, Signal, SimulatedProcess, TerminalSize } from "./process-table.ts";
import type { Credentials } from "./security.ts";

// Images, containers and programs refer to one another, so their types share this file. The code that
// implements them imports it.

/** A file of an image. A string is the file's content, with mode 0644. */
export type ImageFile = string | { content: string; mode: number };

/**
 * A simulated image: the files in its root file system, and the behaviour of its programs. To add one, write
 * a file in `images/` and list it in `default-images.ts`, or pass it to `createImageCatalog`.
 */
export interface SimulatedImage {
  /** Includes the registry: `docker.io/library/busybox`. */
  repository: string;
  tags: readonly string[] | "any";
  /** Whether every node holds the image from the start. Default: nodes pull it first. */
  preloaded?: boolean;
  config: ImageDefaults;
  /** Returns the files of a tag by absolute path. */
  files(tag: string): Record<string, ImageFile>;
  /** Absolute path → behaviour. The shell runs every other executable, if the image has a shell. */
  programs: Record<string, Program>;
  /** Default: the image has no shell and no tools (distroless). */
  shell?: ImageShell;
  /** Set for a local image, whose programs are processes of the host. */
  local?: LocalImage;
  /**
   * Local images only: returns the folder of the host that is the container's root.
   * @throws HostError
   */
  hostRoot?(container: Container): string;
  /**
   * Local images only: finds what the image needs on this machine, before a container starts.
   * @throws ConfigError
   * @throws HostError
   */
  prepare?(): Promise<void>;
  /** Local images only: returns the behaviour of an executable in the image. */
  findProgram?(container: Container, path: string): Program | undefined;
}

/** The shell of an image and its tools. */
export interface ImageShell {
  /** The shell whose messages it prints. */
  flavour: "busybox" | "bash";
  /** Absolute paths of the shell. */
  paths: string[];
  /** Names of the tools in `toolDirectory`. */
  tools: readonly string[];
  toolDirectory: string;
}

/**
 * The behaviour of an executable in a simulated image. Runs until it resolves with its exit code. When
 * `signal` aborts (SIGKILL, or a signal without a handler), the process has ended and the result is ignored.
 */
export type Program = (context: ProcessContext) => Promise<number>;

/**
 * Takes the output of a process. Returns a promise when the reader is too slow: the process must wait for it.
 * The promise never rejects.
 */
export type OutputListener = (stream: "stdout" | "stderr", chunk: Uint8Array) => void | Promise<void>;

/** What a program can use. It gives no access to the host's environment, files or sockets. */
export interface ProcessContext {
  process: SimulatedProcess;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  /** Whether stdin and stdout are a terminal. The caller of the program turns output newlines into CRLF. */
  tty: boolean;
  /** Standard input. undefined: it is always empty (/dev/null). */
  stdin: BytePipe | undefined;
  /** Resolves when the reader has caught up. Await it in a program whose output may never end. */
  stdout(chunk: string | Uint8Array): void | Promise<void>;
  stderr(chunk: string | Uint8Array): void | Promise<void>;
  /** Sends all later signals except SIGKILL to the handler, instead of ending the process. */
  onSignal(handler: (signal: Signal) => void): void;
  signal: AbortSignal;
  hostname: string;
  network: NetworkNamespace;
  clock: Clock;
  container: Container;
}

/** The resolved specification that the kubelet passes to the container runtime. */
export interface ContainerConfig {
  /** 64 hexadecimal digits. */
  id: string;
  name: string;
  image: SimulatedImage;
  tag: string;
  /** Entrypoint and arguments. */
  argv: string[];
  env: Record<string, string>;
  workingDir: string;
  credentials: Credentials;
  hostname: string;
  stdin: boolean;
  stdinOnce: boolean;
  tty: boolean;
  readOnlyRootFilesystem: boolean;
  /** Bytes, from `resources.limits`. Applies only to processes of the host. */
  memoryLimit?: number;
  processes: ProcessTable;
  /** Returns a container of the Pod by name, for /proc/<pid>/root. */
  siblings: (name: string) => Container | undefined;
  network: NetworkNamespace;
  mounts: Mount[];
  /** Files that the runtime adds: /etc/hosts, /etc/hostname, /etc/resolv.conf. */
  runtimeFiles: Record<string, ImageFile>;
  /** Runs the shell at one of `image.shell.paths`. */
  runShell: Program;
  /** Runs one of `image.shell.tools`. */
  runTool: Program;
  clock: Clock;
  random: () => number;
}

export interface ContainerExit {
  code: number;
  /** `Completed`, `Error`, `OOMKilled`, or `StartError` when the program does not exist. */
  reason: string;
  message?: string;
  /** ms since epoch. */
  finishedAt: number;
  /** By the steady clock, ms. */
  endedAt: number;
}

/** One run of a container. A restart is another run. */
export interface Container {
  readonly config: ContainerConfig;
  readonly log: ContainerLog;
  readonly startedAt: number;
  /** Set once the main process has ended. */
  readonly exit: ContainerExit | undefined;
  readonly exited: Promise<ContainerExit>;
  /** Standard input of the main process, if the container has one. */
  readonly stdin: BytePipe | undefined;
  /**
   * Returns the root file system with its mounts, as processes of this container see it. The first call
   * creates it.
   */
  filesystem(): Promise<ContainerFileSystem>;
  /** Calls back with all further output of the main process, which waits for the slowest listener. */
  onOutput(listener: OutputListener): () => void;
  /**
   * Starts another process.
   * @throws StartError with runc's message
   */
  spawn(options: SpawnOptions): Promise<SpawnedProcess>;
  /** Sets the window size of the main process's terminal. */
  resize(size: TerminalSize): void;
  /**
   * Sends the stop signal, at most once for all calls, then SIGKILL after the shortest grace period of all
   * calls. Resolves when the container has ended.
   */
  stop(graceMs: number): Promise<ContainerExit>;
}

export interface SpawnOptions {
  argv: string[];
  tty: boolean;
  stdin: BytePipe | undefined;
  onOutput: OutputListener;
}

export interface SpawnedProcess {
  process: SimulatedProcess;
  /** Resolves with the exit code: 128 + n for signal n. */
  exited: Promise<number>;
  /** Sets the window size of the process's terminal. */
  resize(size: TerminalSize): void;
}

/** A container's root file system with its mounts and /proc, limited to the permissions of one process. */
export type ContainerFileSystem = IFileSystem & {
  /**
   * Returns the same files for a process in another container, which reaches them through /proc/<pid>/root.
   */
  seenBy(viewer: Container): IFileSystem;
  /**
   * Returns the refused paths since the last call, with the system's message. The tools report every error
   * with the same text.
   */
  takeRefusals(): Map<string, string>;
};
