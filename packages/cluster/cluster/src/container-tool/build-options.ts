import type { ImageStore, ImageTool } from "@operator-path/kubelet/local-images";

/** The build context: the project's folder, without the files that .dockerignore names. */
export interface Context {
  /** Absolute. */
  readonly folder: string;
  /** @param path relative to the folder, `a/b` */
  ignores(path: string): boolean;
}

/** What one build reads, where it looks and where it reports. */
export interface BuildOptions {
  readonly store: ImageStore;
  /** The Dockerfile's text, and its name in messages. */
  readonly dockerfile: { readonly text: string; readonly name: string };
  readonly context: Context;
  readonly buildArgs: ReadonlyMap<string, string>;
  /** A stage's name or number. Default: the last stage. */
  readonly target?: string;
  /** Finds a tool of this machine. Throws an error that lists the searched places. */
  readonly findTool: (name: ImageTool) => Promise<{ readonly version: string }>;
  /** Receives a line for each instruction: what was done, or why it was skipped. */
  readonly say: (line: string) => void;
}
