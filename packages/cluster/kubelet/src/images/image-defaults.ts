import type { Signal } from "../runtime/process-table.ts";

/** An image's settings for its containers, under the names of a Dockerfile. */
export interface ImageDefaults {
  entrypoint?: string[];
  cmd?: string[];
  env?: Record<string, string>;
  /** `uid`, `uid:gid` or a name of /etc/passwd. Default: root. */
  user?: string;
  workingDir?: string;
  stopSignal?: Signal;
}
