import type { Signal } from "../../runtime/process-table.ts";

/**
 * A local image without the bytes of its files. Its digest is a hash of this manifest, so the manifest holds
 * no times.
 */
export interface ImageManifest {
  /** FROM of the last stage, as in the Dockerfile. */
  readonly base: string;
  /** What the base contains besides Node: nothing, or a shell and tools. */
  readonly flavour: "distroless" | "debian" | "alpine";
  readonly config: ImageConfig;
  /** Sorted by path. */
  readonly files: readonly ManifestFile[];
  /**
   * Folders of the host that the image refers to but does not contain: a project's node_modules. Sorted by
   * path.
   */
  readonly links: readonly ManifestLink[];
  /** Tools that come from other images. Sorted by path. Default: none. */
  readonly tools?: readonly ManifestTool[];
}

/** A Dockerfile's configuration, under the names of Docker's image specification. */
export type ImageConfig = ImageDefaults & {
  /** `8080/tcp`. */
  readonly exposedPorts?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
};

export interface ManifestFile {
  /** Absolute path in the image. */
  readonly path: string;
  readonly type: "file" | "folder";
  /** 0o755 or 0o644, the only modes that git stores. */
  readonly mode: number;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Hexadecimal; empty for a folder. */
  readonly sha256: string;
}

export interface ManifestLink {
  /** Absolute path in the image. */
  readonly path: string;
  /** Absolute path on the host. */
  readonly target: string;
  /**
   * Paths of the host that a program may read to use the folder: the folder itself, and the targets of its
   * symbolic links.
   */
  readonly reads: readonly string[];
  /** Hash of the project's lockfile. It gives an image that was built after an update another digest. */
  readonly lock: string;
}

/**
 * The tools that an image may have. The node finds the executable on its machine, so a manifest never names
 * one.
 */
export const imageTools = ["helm"] as const;
export type ImageTool = (typeof imageTools)[number];

export interface ManifestTool {
  /** Absolute path in the image. */
  readonly path: string;
  readonly tool: ImageTool;
  /** The version on the machine that built the image, without a leading `v`. */
  readonly version: string;
}

/** An image's settings for its containers, under the names of a Dockerfile. */
export interface ImageDefaults {
  entrypoint?: string[];
  cmd?: string[];
  env?: Record<string, string>;
  /** `uid`, `uid:gid` or a name of /etc/passwd. Default: root. */
  user?: string;
  workingDir?: string;
  stopSignal?: Signal;
}
