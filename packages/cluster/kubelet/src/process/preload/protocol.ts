/** What the kubelet tells a container's process about itself, in the address of the module that it loads first. */
export interface PreloadSettings {
  /** Folder of the host that stands for `/`. */
  readonly root: string;
  /** Path in the container → path of the host: volumes, which are links in the root. Longest first. */
  readonly mounts: readonly (readonly [string, string])[];
  /** Folders of the host that may be named as they are: where the root's links lead. */
  readonly visible: readonly string[];
  readonly hostname: string;
  /** In the container. */
  readonly pid: number;
  readonly ppid: number;
  readonly uid: number;
  readonly gid: number;
  /** The Pod's. */
  readonly ip: string;
  /** PWD of the container's environment. A boundary sets one of its own. */
  readonly workingFolder: string | undefined;
  /** Loopback ports of the host that are what they are: the API server's. */
  readonly passThrough: readonly number[];
  /** Report each key that a work queue hands out. */
  readonly reconciles?: true;
  /**
   * Left out: the image has no tools. Else the kubelet starts them, and is asked over file descriptor 4; `others` says whether
   * Node may start other programs itself, as tsx has to.
   */
  readonly tools?: { readonly others: boolean };
}

// What the preload and the kubelet say to each other about the tools of an image. The preload asks over a pipe of its own,
// a JSON object a line, and waits for each answer, as node:child_process waits for a process to begin. What becomes of a child
// it is told over the channel, in its own time.

/** A program that is to be started. */
export interface ToolRequest {
  readonly file: string;
  /** What follows the name of the program. */
  readonly args: readonly string[];
  /** Of the container, or of the host. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type ToolQuestion =
  /** With or without a standard input that is written to. */
  | { readonly ask: "start"; readonly tool: ToolRequest; readonly stdin: boolean }
  /** To the end; `input` is base64. */
  | {
      readonly ask: "run";
      readonly tool: ToolRequest;
      readonly input: string;
      /** ms; 0: no limit */
      readonly timeout: number;
      readonly killSignal: string;
      /** Bytes of one stream. */
      readonly maxBuffer: number;
    }
  /** `pid` as process.kill takes it: negative for a process group. Signal 0 asks whether it is there. */
  | { readonly ask: "kill"; readonly pid: number; readonly signal: string | number };

/** `code` is node's: ENOENT, EACCES, ESRCH. */
export type ToolAnswer =
  | { readonly ok: true; readonly pid?: number; readonly result?: ToolResult }
  | { readonly ok: false; readonly code: string };

export interface ToolResult {
  readonly status: number | null;
  readonly signal: string | null;
  /** base64 */
  readonly stdout: string;
  readonly stderr: string;
  /** ETIMEDOUT, ENOBUFS. */
  readonly code?: string;
}

/** Over the channel, unasked. */
export interface ToolNotice {
  readonly id: 0;
  readonly pid: number;
  /** A piece of what it says, base64; "" at its end. */
  readonly output?: { readonly stream: 1 | 2; readonly data: string };
  readonly exit?: { readonly code: number | null; readonly signal: string | null };
}
