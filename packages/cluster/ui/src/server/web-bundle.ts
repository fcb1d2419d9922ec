/** One static file. */
export interface WebFile {
  readonly type: string;
  readonly body: Uint8Array;
}

/** The files of a page: scripts, styles and fonts. The server serves exactly these paths. */
export interface WebBundle {
  /** By path: `/assets/main-3F2A.js`. The names contain a hash of the content. */
  readonly files: ReadonlyMap<string, WebFile>;
  /** The path of the script that starts the page. */
  readonly script: string;
  /** The paths of its style sheets. */
  readonly styles: readonly string[];
  /** Parts of the names of fonts that the first paint needs. */
  readonly preload: readonly string[];
}
