/** How an image is made that stands for a published one. */
export interface ImageRecipe {
  /** Its name in the engine, behind `operator-path-proof/`. Never that of the image it stands for. */
  readonly name: string;
  /** Its Dockerfile, below `images/`. The other files of that folder are in the build's context, and the root of the image in `root`. */
  readonly dockerfile: string;
  /** What nodes ask docker.io for and get it: `library/busybox:1.36`. None for an image that no Pod names. */
  readonly servedAs: readonly string[];
  /** Debian's packages in it, with the libraries that they need. */
  readonly debian: readonly string[];
  /** Whether busybox is at the paths of the commands that it knows. */
  readonly shell?: boolean;
  /** Whether Mozilla's certificates are in /etc/ssl/certs/ca-certificates.crt. */
  readonly certificates?: boolean;
  /** Empty folders: path → mode. */
  readonly folders?: Readonly<Record<string, number>>;
  /** Links: path → where it leads. */
  readonly links?: Readonly<Record<string, string>>;
  /** A program that is not Debian's: where it goes, and its file on this machine. */
  readonly program?: { readonly path: string; find(o: FindProgram): Promise<string> };
}

export interface FindProgram {
  /** A folder for what is built. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}
