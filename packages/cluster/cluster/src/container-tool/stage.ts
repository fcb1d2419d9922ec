import type {
  ImageConfig,
  ImageManifest,
  ImageStore,
  ImageTool,
  ManifestLink,
  ManifestTool,
} from "@operator-path/kubelet/local-images";

/** The content of a path in a stage. */
export type StageEntry =
  | { readonly type: "file"; readonly source: string | Uint8Array; readonly mode: number }
  | { readonly type: "folder" }
  | ({ readonly type: "tool" } & Omit<ManifestTool, "path">)
  | ({ readonly type: "link" } & Omit<ManifestLink, "path">);

/** A build stage in progress. */
export interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly flavour: ImageManifest["flavour"];
  /**
   * The stage has a known image's tools, and no Node. Files can be copied from it, but it cannot be started.
   */
  readonly isTools?: boolean;
  /** Absolute path → content. */
  readonly entries: Map<string, StageEntry>;
  /** Folder of the stage → folder of the project that it was copied from. */
  readonly origins: Map<string, string>;
  /** RUN instructions that were skipped, with their line. */
  readonly skipped: { readonly line: number; readonly text: string }[];
  config: ImageConfig;
  /** ARG and ENV. */
  readonly variables: Map<string, string>;
}

/**
 * Returns the project path that a path of the stage came from, or would have come from if RUN had created it
 * there.
 */
export function originOf(stage: Stage, path: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    const origin = stage.origins.get(folder || "/");
    if (origin !== undefined) return origin + path.slice(folder.length);
    if (folder === "") return undefined;
  }
}

/** Returns everything at and below a path: [path below it (`""` or `/a/b`), entry]. */
export function below(stage: Stage, path: string): [string, StageEntry][] {
  const prefix = path === "/" ? "" : path;
  return [...stage.entries].flatMap(([at, entry]): [string, StageEntry][] =>
    at === path || at.startsWith(`${prefix}/`) ? [[at.slice(prefix.length), entry]] : [],
  );
}

/** Returns an earlier stage by its name or number. */
export function stageNamed(stages: readonly Stage[], name: string): Stage | undefined {
  const named = stages.findLast((stage) => stage.name?.toLowerCase() === name.toLowerCase());
  return named ?? (/^\d+$/.test(name) ? stages[Number(name)] : undefined);
}

/** The build context: the project's folder, without the files that .dockerignore excludes. */
export interface Context {
  /** Absolute path. */
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
