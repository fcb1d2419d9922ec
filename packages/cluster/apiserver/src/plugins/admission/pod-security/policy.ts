import type { StatusCause } from "../../../apimachinery/errors.ts";
import { invalid } from "../../../apimachinery/validation/cause.ts";

export type Level = "privileged" | "baseline" | "restricted";

/** A level and the version of its rules: api.LevelVersion of k8s.io/pod-security-admission. */
export interface LevelVersion {
  level: Level;
  /** Minor version of Kubernetes 1.x that defines the rules. Infinity: the latest. */
  minor: number;
}

export interface Policy {
  enforce: LevelVersion;
  audit: LevelVersion;
  warn: LevelVersion;
}

const strictness: Level[] = ["privileged", "baseline", "restricted"];
/** The minor version of `latest`. */
const latest = Number.POSITIVE_INFINITY;
const prefix = "pod-security.kubernetes.io/";

/** Formats a level as `restricted:latest` or `baseline:v1.30`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === latest ? "latest" : `v1.${minor}`}`;
}

export function compareLevels(a: Level, b: Level): number {
  return strictness.indexOf(a) - strictness.indexOf(b);
}

/**
 * Returns the policy of a namespace without labels: `enforce` for Pods, without audit and warnings. A
 * PodSecurityConfiguration with `defaults: {enforce: …}` has the same effect.
 */
export function defaultPolicy(enforce: Level): Policy {
  const off: LevelVersion = { level: "privileged", minor: latest };
  return { enforce: { level: enforce, minor: latest }, audit: off, warn: off };
}

/**
 * Returns the policy in a namespace's labels, and errors about them. A mode without a label has its default.
 */
export function policyOf(
  labels: Readonly<Record<string, string>> = {},
  defaults: Policy = defaultPolicy("privileged"),
): {
  policy: Policy;
  causes: StatusCause[];
} {
  const causes: StatusCause[] = [];
  // Most namespaces have no such labels, and this runs for each Pod.
  if (!Object.keys(labels).some((label) => label.startsWith(prefix))) return { policy: defaults, causes };
  const addCause = (label: string, detail: string) => {
    causes.push(invalid(`metadata.labels[${prefix}${label}]`, labels[prefix + label], detail));
  };

  function readMode(mode: keyof Policy): LevelVersion & { stated: boolean; valid: boolean } {
    const level = labels[prefix + mode];
    const version = labels[`${prefix}${mode}-version`];
    const known = strictness.find((name) => name === level);
    if (level !== undefined && known === undefined) addCause(mode, `must be one of ${strictness.join(", ")}`);
    const minor = version === undefined ? latest : parseVersion(version);
    if (minor === undefined) addCause(`${mode}-version`, 'must be "latest" or "v1.x"');
    // An invalid value fails closed where it is enforced, and open elsewhere.
    const unreadable = mode === "enforce" ? "restricted" : "privileged";
    return {
      level: level === undefined ? defaults[mode].level : (known ?? unreadable),
      minor: minor ?? latest,
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
  if (text === "latest") return latest;
  const match = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
