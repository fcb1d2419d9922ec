import type { ManagerEvent } from "./host.ts";

/** Messages from the supervisor to the operator's process, over Node's IPC channel. */
export type ToOperator =
  /** The first message. */
  | { type: "prepare"; identity: string; folder: string; modules: readonly string[] }
  /** Loads the main file. */
  | { type: "start"; inspect?: number }
  /** Carries the socket, if there is one. */
  | { type: "listener"; key: string };

export type FromOperator =
  /** The modules have been loaded, from these files among others. */
  | { type: "prepared"; files: readonly FileVersion[] }
  /** A module is about to be read from this file. */
  | { type: "loading"; path: string }
  /** A module inside the folder has imported this one from outside. */
  | { type: "imported"; url: string }
  | { type: "manager"; event: ManagerEvent }
  /** Requests a socket. */
  | { type: "claim"; key: string }
  /** Carries a socket to preserve for the next process. */
  | { type: "keep"; key: string };

/** The version of a file when it was read. */
export type FileVersion = readonly [path: string, mtimeMs: number, size: number];
