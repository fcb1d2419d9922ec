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
