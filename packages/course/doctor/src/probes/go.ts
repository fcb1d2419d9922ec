import { satisfies } from "semver";
import { installGo } from "../mending/install-tools.ts";
import type { Probe } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** The first Go that fetches the version which a module asks for; what we build asks for a newer one than most have. */
const range = ">=1.21.0";
/** A release to install; it need not be the newest. */
const release = "1.26.8";

/** Go builds a real control plane, and kind, where nobody has. */
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
