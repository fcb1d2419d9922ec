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
  /** Loopback ports of the host that are what they are: the API server's. */
  readonly passThrough: readonly number[];
  /** Left out: the image has no tools, and what may be started is for Node's permission model to say. */
  readonly tools?: ToolSettings;
}

/** The tools of an image: programs of this machine that its processes may start. */
export interface ToolSettings {
  /** Path in the container → absolute path of the host. */
  readonly executables: Readonly<Record<string, string>>;
  /** A file of the host: a kubeconfig with the Pod's ServiceAccount. Left out: the container has none. */
  readonly kubeconfig?: string;
  /** A file of the host: a kubeconfig that leads nowhere, for a tool that would look for an API server on this machine. */
  readonly nowhere: string;
  /** A folder of the host, for copies of kubeconfigs in which paths are the host's. */
  readonly folder: string;
  /** Whether other programs may be started as well: tsx needs esbuild. */
  readonly others: boolean;
}
