import type { ImageStore, ImageTool } from "@operator-path/kubelet/local-images";
import type { Context } from "./copy.ts";

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
