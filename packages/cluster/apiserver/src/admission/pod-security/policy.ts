import type { StatusCause } from "../../errors.ts";
import { invalid } from "../../validation/cause.ts";

export type Level = "privileged" | "baseline" | "restricted";

/** What a namespace asks of its Pods: api.LevelVersion of k8s.io/pod-security-admission. */
export interface LevelVersion {
  level: Level;
  /** Minor version of Kubernetes 1.x whose rules hold; Infinity: the latest. */
  minor: number;
}

export interface Policy {
  enforce: LevelVersion;
  audit: LevelVersion;
  warn: LevelVersion;
}

const strictness: Level[] = ["privileged", "baseline", "restricted"];
const prefix = "pod-security.kubernetes.io/";

/** `restricted:latest`, `baseline:v1.30` */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Number.POSITIVE_INFINITY ? "latest" : `v1.${minor}`}`;
}

export function compareLevels(a: Level, b: Level): number {
  return strictness.indexOf(a) - strictness.indexOf(b);
}

const nothing: Policy = {
  enforce: { level: "privileged", minor: Number.POSITIVE_INFINITY },
  audit: { level: "privileged", minor: Number.POSITIVE_INFINITY },
  warn: { level: "privileged", minor: Number.POSITIVE_INFINITY },
};

/** The policy in a namespace's labels, and what is wrong with them. Without labels, everything is allowed. */
export function policyOf(labels: Readonly<Record<string, string>> = {}): {
  policy: Policy;
  causes: StatusCause[];
} {
  const causes: StatusCause[] = [];
  // Most namespaces have no such labels, and each Pod asks.
  if (!Object.keys(labels).some((label) => label.startsWith(prefix))) return { policy: nothing, causes };
  const complain = (label: string, detail: string) => {
    causes.push(invalid(`metadata.labels[${prefix}${label}]`, labels[prefix + label], detail));
  };

  function readMode(mode: string): LevelVersion & { stated: boolean; valid: boolean } {
    const level = labels[prefix + mode];
    const version = labels[`${prefix}${mode}-version`];
    const known = strictness.find((name) => name === level);
    if (level !== undefined && known === undefined) complain(mode, `must be one of ${strictness.join(", ")}`);
    const minor = version === undefined ? Number.POSITIVE_INFINITY : parseVersion(version);
    if (minor === undefined) complain(`${mode}-version`, 'must be "latest" or "v1.x"');
    // What cannot be read fails closed where it is enforced, open elsewhere.
    const unreadable = mode === "enforce" ? "restricted" : "privileged";
    return {
      level: level === undefined ? "privileged" : (known ?? unreadable),
      minor: minor ?? Number.POSITIVE_INFINITY,
      stated: level !== undefined,
      valid: known !== undefined,
    };
  }

  const enforce = readMode("enforce");
  const audit = readMode("audit");
  const warn = readMode("warn");
  if (!warn.stated && enforce.valid && compareLevels(enforce.level, warn.level) > 0) {
    warn.level = enforce.level;
    if (labels[`${prefix}warn-version`] === undefined) warn.minor = enforce.minor;
  }
  return { policy: { enforce, audit, warn }, causes };
}

function parseVersion(text: string): number | undefined {
  if (text === "latest") return Number.POSITIVE_INFINITY;
  const match = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
