import type { IFileSystem } from "just-bash";
import type { AccessTable } from "./access.ts";

/** A file, folder or link that /proc generates. */
export type Node = { mtime: number } & (
  | { type: "file"; content: string }
  | { type: "directory"; entries: string[] }
  | { type: "link"; target: string }
);

/** The target of a path: a path in a file system, or a node of /proc. */
export type Place =
  | { fs: IFileSystem; path: string; access?: AccessTable; readOnly?: boolean }
  | { node: Node; path: string };
