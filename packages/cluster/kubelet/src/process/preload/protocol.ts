/**
 * What a container's process must know about itself. The kubelet passes it in the URL of the module that the
 * process loads first.
 */
export interface PreloadSettings {
  /** The folder of the host that is `/` in the container. */
  readonly root: string;
  /** Volumes, which are links in the root: path in the container → path on the host, longest first. */
  readonly mounts: readonly (readonly [string, string])[];
  /** Folders of the host with the same path in the container: the targets of the root's links. */
  readonly visible: readonly string[];
  readonly hostname: string;
  /** The pid in the container. */
  readonly pid: number;
  readonly ppid: number;
  readonly uid: number;
  readonly gid: number;
  /** The Pod's address. */
  readonly ip: string;
  /** PWD of the container's environment. A boundary sets another one. */
  readonly workingFolder: string | undefined;
  /** Loopback ports of the host that stay reachable: the API server's. */
  readonly passThrough: readonly number[];
  /** Whether to report each key that a work queue returns. */
  readonly reconciles?: true;
  /**
   * Set if the image has tools. The kubelet starts them, on requests over file descriptor 4. `others` says
   * whether Node may start other programs itself, as tsx must.
   */
  readonly tools?: { readonly others: boolean };
}

// The messages about an image's tools. The preload sends its questions over a pipe of its own, one JSON
// object per line, and waits for each answer, as node:child_process waits until a process has started. Output
// and exit of a child arrive later over the channel.

/** A program to start. */
export interface ToolRequest {
  readonly file: string;
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** A path of the container or of the host. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type ToolQuestion =
  /** Starts the tool. `stdin` says whether it has a standard input. */
  | { readonly ask: "start"; readonly tool: ToolRequest; readonly stdin: boolean }
  /** Runs the tool until it ends. `input` is base64. */
  | {
      readonly ask: "run";
      readonly tool: ToolRequest;
      readonly input: string;
      /** In ms. 0 for no limit. */
      readonly timeout: number;
      readonly killSignal: string;
      /** Limit for each output stream, in bytes. */
      readonly maxBuffer: number;
    }
  /**
   * Signals a tool. `pid` is that of process.kill: negative for a process group. Signal 0 checks whether it
   * runs.
   */
  | { readonly ask: "kill"; readonly pid: number; readonly signal: string | number };

/** `code` is Node's: ENOENT, EACCES, ESRCH. */
export type ToolAnswer =
  | { readonly ok: true; readonly pid?: number; readonly result?: ToolResult }
  | { readonly ok: false; readonly code: string };

interface ToolResult {
  readonly status: number | null;
  readonly signal: string | null;
  /** In base64. */
  readonly stdout: string;
  readonly stderr: string;
  /** ETIMEDOUT or ENOBUFS. */
  readonly code?: string;
}

/** A message over the channel about a started tool. */
export interface ToolNotice {
  readonly id: 0;
  readonly pid: number;
  /** A chunk of output in base64. "" ends the stream. */
  readonly output?: { readonly stream: 1 | 2; readonly data: string };
  readonly exit?: { readonly code: number | null; readonly signal: string | null };
}
