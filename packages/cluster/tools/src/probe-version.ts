import { parse, satisfies } from "semver";
import { type ProgramName, requirementOf } from "./versions.ts";

const arguments_: Readonly<Record<ProgramName, readonly string[]>> = {
  kubectl: ["version", "--client", "--output=json"],
  helm: ["version", "--template={{.Version}}"],
  kind: ["--version"],
  etcd: ["--version"],
  "kube-apiserver": ["--version"],
  "kube-controller-manager": ["--version"],
};

/** How to read the version: the whole output, a field of JSON, or the end of the first line. */
const readers: Readonly<Record<ProgramName, (stdout: string) => string | undefined>> = {
  kubectl: clientVersion,
  helm: (stdout) => stdout.trim(),
  kind: lastWord,
  etcd: lastWord,
  "kube-apiserver": lastWord,
  "kube-controller-manager": lastWord,
};

/** The version that an executable reports, or the reason why it reports none. */
export type Probe = { readonly version: string; readonly fits: boolean } | { readonly problem: string };

/**
 * Asks the executable at `path` for its version. Never throws: returns a `problem` when it cannot run, does
 * not answer within a minute, or prints no version. `version` has no leading `v`.
 */
export async function probeVersion(name: ProgramName, path: string, env: NodeJS.ProcessEnv): Promise<Probe> {
  // Loaded here, because it has a hundred modules that most callers do not need.
  const { execa } = await import("execa");
  const result = await execa(path, arguments_[name], {
    env,
    extendEnv: false,
    reject: false,
    timeout: 60_000,
    stdin: "ignore",
  });
  if (result.timedOut) return { problem: "did not report its version within 60 s" };
  if (result.failed) {
    const words = String(result.stderr ?? "").split("\n")[0] || result.originalMessage || "no message";
    return { problem: `does not run: ${words}` };
  }
  const version = parse(readers[name](result.stdout));
  if (version === null) return { problem: "does not report its version" };
  const fits = satisfies(version, requirementOf(name).range, { includePrerelease: true });
  return { version: version.version, fits };
}

function clientVersion(stdout: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(stdout);
    const client = (answer as { clientVersion?: { gitVersion?: unknown } } | null)?.clientVersion;
    return typeof client?.gitVersion === "string" ? client.gitVersion : undefined;
  } catch {
    return undefined;
  }
}

/** `etcd Version: 3.6.8`, `Kubernetes v1.36.3`, `kind version 0.33.0`. */
function lastWord(stdout: string): string | undefined {
  return stdout.split("\n")[0]?.trim().split(" ").at(-1);
}
