import type { Container } from "../runtime/container.ts";
import type { Signal } from "../runtime/process-table.ts";
import type { Program } from "../runtime/program.ts";
import type { LocalImage } from "./local/image-store.ts";

/** A file of an image. A string is its content, mode 0644. */
export type ImageFile = string | { content: string; mode: number };

/**
 * A simulated image: what a container started from it does, and what is in its root file system.
 * To add one, write a file beside this one and name it in `default-images.ts` (or pass it to `createImageCatalog`).
 */
export interface SimulatedImage {
  /** With registry: `docker.io/library/busybox`. */
  repository: string;
  tags: readonly string[] | "any";
  /** On every node from the start, as an image that was built here and loaded; others are pulled first. */
  preloaded?: boolean;
  /** The image's configuration, under the names of a Dockerfile. */
  config: {
    entrypoint?: string[];
    cmd?: string[];
    env?: Record<string, string>;
    /** `uid`, `uid:gid` or a name of /etc/passwd; root when left out. */
    user?: string;
    workingDir?: string;
    stopSignal?: Signal;
  };
  /** Absolute path → file, for the tag that was asked for. */
  files(tag: string): Record<string, ImageFile>;
  /** Absolute path → behaviour. Anything executable that is not here is run by the shell, if there is one. */
  programs: Record<string, Program>;
  /** Left out: the image has no shell and no tools (distroless). */
  shell?: ImageShell;
  /** The image was built by the person: its programs are processes of the host. */
  local?: LocalImage;
  /** Of a local image: the folder of the host that is the container's root. @throws HostError */
  hostRoot?(container: Container): string;
  /** Of a local image: finds what it needs of this machine, before a container starts. @throws ConfigError @throws HostError */
  prepare?(): Promise<void>;
  /** Of a local image: what an executable does that the person's image brings. */
  findProgram?(container: Container, path: string): Program | undefined;
}

/** Whose words a shell and its tools use. */
export interface ImageShell {
  flavour: "busybox" | "bash";
  /** Absolute paths at which the shell is found. */
  paths: string[];
  /** Tools by name; each is found in `toolDirectory`. */
  tools: readonly string[];
  toolDirectory: string;
}
