/** How to build an image that replaces a published one. */
export interface ImageRecipe {
  /** Its name in the engine, behind `operator-path-proof/`. Never the name of the published image. */
  readonly name: string;
  /**
   * Its Dockerfile, below `images/`. The build context has the other files of that folder, and the image's
   * files in `root`.
   */
  readonly dockerfile: string;
  /** The Docker Hub names that nodes pull: `library/busybox:1.36`. Empty if no Pod names the image. */
  readonly servedAs: readonly string[];
  /** Debian packages of the image. Their libraries are added. */
  readonly debian: readonly string[];
  /** Whether busybox is linked at the paths of its commands. */
  readonly shell?: boolean;
  /** Whether Mozilla's certificates are in /etc/ssl/certs/ca-certificates.crt. */
  readonly certificates?: boolean;
  /** Empty folders: path → mode. */
  readonly folders?: Readonly<Record<string, number>>;
  /** Links: path → target. */
  readonly links?: Readonly<Record<string, string>>;
  /** A program from outside of Debian: its path in the image, and its file on this machine. */
  readonly program?: { readonly path: string; find(options: FindProgram): Promise<string> };
}

export interface FindProgram {
  /** A folder for build results. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}
