import { satisfies } from "semver";
import { installGo } from "../mending/install-tools.ts";
import type { Probe } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** The first Go that downloads the version that a module needs. The programs to build need a recent one. */
const range = ">=1.21.0";
/** The release to install. It need not be the newest. */
const release = "1.26.8";

/** Go builds a real control plane and kind if they are missing. */
export const goProbe: Probe = {
  subject: "Go",
  neededFor: ["envtest"],
  async look({ machine, system }) {
    const read = (stdout: string) => /go(\d[\w.]*)/.exec(stdout)?.[1];
    const [first] = await versionsOnPath(machine, "go", ["version"], read);
    const base = { subject: "Go", neededFor: this.neededFor } as const;
    if (first?.version && satisfies(first.version, range)) {
      return [{ ...base, state: "ok", found: first.version.version, where: first.path }];
    }
    const found = first
      ? first.version
        ? `${first.version}, too old`
        : (first.problem ?? "")
      : "not on the PATH";
    return [{ ...base, state: "missing", found, mend: installGo(machine, system, release) }];
  },
};
