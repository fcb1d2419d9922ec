import { execa } from "execa";
import { parse, satisfies } from "semver";
import { type ToolName, toolRequirements } from "./versions.ts";

const arguments_: Readonly<Record<ToolName, readonly string[]>> = {
  kubectl: ["version", "--client", "--output=json"],
  helm: ["version", "--template={{.Version}}"],
};

/** What an executable says about itself. */
export type Probe = { readonly version: string; readonly fits: boolean } | { readonly problem: string };

/**
 * Asks the executable at `path` for its version. Never throws: what cannot be run, does not answer within ten
 * seconds, or answers nonsense, is a `problem` in words. `version` has no leading `v`.
 */
export async function probeVersion(name: ToolName, path: string, env: NodeJS.ProcessEnv): Promise<Probe> {
  const result = await execa(path, arguments_[name], {
    env,
    extendEnv: false,
    reject: false,
    timeout: 10_000,
    stdin: "ignore",
  });
  if (result.timedOut) return { problem: "did not say its version within 10 s" };
  if (result.failed) {
    const words = String(result.stderr ?? "").split("\n")[0] || result.originalMessage || "no message";
    return { problem: `does not run: ${words}` };
  }
  const version = parse(name === "kubectl" ? clientVersion(result.stdout) : result.stdout.trim());
  if (version === null) return { problem: "does not say its version" };
  const fits = satisfies(version, toolRequirements[name].range, { includePrerelease: true });
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
