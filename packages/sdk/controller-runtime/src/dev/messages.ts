import type { ManagerEvent } from "./host.ts";

/** What the supervisor and the operator's process say to each other, over Node's IPC channel. */
export type ToOperator =
  /** The first one. */
  | { type: "prepare"; identity: string; folders: readonly string[]; modules: readonly string[] }
  /** The main file may be loaded. */
  | { type: "start"; inspect?: number }
  /** With the socket, when there is one. */
  | { type: "listener"; key: string };

export type FromOperator =
  /** The modules have been loaded, these files among them. */
  | { type: "prepared"; files: readonly FileVersion[] }
  /** A file that a module is about to be read from. */
  | { type: "loading"; path: string }
  /** A module outside of the folders that one inside imports. */
  | { type: "imported"; url: string }
  | { type: "manager"; event: ManagerEvent }
  /** Asks for a socket. */
  | { type: "claim"; key: string }
  /** With the socket, to be kept for the next process. */
  | { type: "keep"; key: string };

/** How a file was when it was read. */
export type FileVersion = readonly [path: string, mtimeMs: number, size: number];
