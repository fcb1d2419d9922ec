import type { Signal } from "../../runtime/process-table.ts";

/** What a local image is: everything but the bytes of its files. Its digest is a hash of this, so there are no times in it. */
export interface ImageManifest {
  /** FROM of the last stage, as the Dockerfile has it. */
  readonly base: string;
  /** What the base brings besides Node: nothing, or a shell and tools. */
  readonly flavour: "distroless" | "debian" | "alpine";
  readonly config: ImageConfig;
  /** Sorted by path. */
  readonly files: readonly ManifestFile[];
  /** Folders of the host that the image refers to and does not hold: a project's node_modules. Sorted by path. */
  readonly links: readonly ManifestLink[];
  /** Tools that come from other images. Sorted by path. Left out: none. */
  readonly tools?: readonly ManifestTool[];
}

/** A Dockerfile's configuration, as Docker's image specification names it. */
export type ImageConfig = ImageDefaults & {
  /** `8080/tcp`. */
  readonly exposedPorts?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
};

export interface ManifestFile {
  /** Absolute path in the image. */
  readonly path: string;
  readonly type: "file" | "folder";
  /** 0o755 or 0o644: all that git keeps of a mode. */
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
  /** What a program may read of the host to use it: the folder itself, and where its symbolic links lead. */
  readonly reads: readonly string[];
  /** Hash of the lockfile beside it, so that an image built after an update is another one. */
  readonly lock: string;
}

/** The tools that an image may have. What one of them is on this machine, the node finds out: a manifest names no executable. */
export const imageTools = ["helm"] as const;
export type ImageTool = (typeof imageTools)[number];

export interface ManifestTool {
  /** Absolute path in the image. */
  readonly path: string;
  readonly tool: ImageTool;
  /** This machine's when the image was built, without a leading `v`. */
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
