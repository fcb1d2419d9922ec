import {
  type FoundTool,
  findTool,
  type ToolName,
  ToolNotFoundError,
  toolRequirements,
} from "@operator-path/tools";
import { satisfies } from "semver";
import type { Mend, Purpose } from "../finding.ts";
import { installHelm, installKind, installKubectl } from "../mending/install-tools.ts";
import { everyPage, type Probe, type Scene } from "../probe.ts";
import { type OnPath, versionsOnPath } from "../versions-on-path.ts";

const sources: Readonly<Record<string, string>> = { npm: "from npm", cache: "in the cache" };

interface Wanted {
  readonly name: ToolName;
  readonly neededFor: readonly Purpose[];
  /** The arguments that print the version. */
  readonly args: readonly string[];
  readonly read?: (stdout: string) => string | undefined;
  readonly mend: (scene: Scene) => Mend;
}

const gitVersion = (stdout: string): string | undefined => /"gitVersion":\s*"v?([^"]+)"/.exec(stdout)?.[1];

export const kubectlProbe = probeOf({
  name: "kubectl",
  neededFor: [...everyPage, "project", "envtest"],
  args: ["version", "--client", "--output=json"],
  read: gitVersion,
  mend: ({ machine, system }) => installKubectl(machine, system),
});

export const helmProbe = probeOf({
  name: "helm",
  neededFor: everyPage,
  args: ["version", "--template={{.Version}}"],
  mend: ({ machine, system }) => installHelm(machine, system),
});

/** The scripts build a missing kind if Go is installed. */
export const kindProbe = probeOf({
  name: "kind",
  neededFor: ["kind"],
  args: ["version"],
  mend: ({ machine, system }) => installKind(machine, system, toolRequirements.kind.release),
});

/** Finds a tool as `findTool` does, but gives up a program that hangs sooner. */
function probeOf({ name, neededFor, args, read, mend }: Wanted): Probe {
  return {
    subject: name,
    neededFor,
    async look(scene) {
      const { machine } = scene;
      const { range, words } = toolRequirements[name];
      const onPath = await versionsOnPath(machine, name, args, read);
      const index = onPath.findIndex(({ version }) => fits(version?.version, range));
      const passed = (index === -1 ? onPath : onPath.slice(0, index)).map((each) => skippedLine(each, words));
      const base = { subject: name, neededFor, ...(passed.length > 0 && { details: passed }) };
      const taken = onPath[index];
      if (taken?.version) {
        return [{ ...base, state: "ok", found: taken.version.version, where: taken.path }];
      }
      const other = await elsewhere(name, scene);
      if (other) {
        const found = `${other.version}, ${sources[other.source] ?? other.source}`;
        return [{ ...base, state: "ok", found, where: other.path }];
      }
      if (name === "kind" && (await goIsThere(scene))) {
        return [{ ...base, state: "ok", found: "not yet: will be built once, with Go" }];
      }
      const found = onPath.length === 0 ? "not on the PATH" : `no version ${words}`;
      return [{ ...base, state: "missing", found, mend: mend(scene) }];
    },
  };
}

function fits(version: string | undefined, range: string): boolean {
  return version !== undefined && satisfies(version, range, { includePrerelease: true });
}

function skippedLine({ path, version, problem }: OnPath, words: string): string {
  return `${path} ${version ? `is ${version}, and ${words} is needed` : problem}: skipped.`;
}

/** Looks for the tool from npm, and in the cache. Builds and downloads nothing. */
async function elsewhere(name: ToolName, { machine }: Scene): Promise<FoundTool | undefined> {
  const { env, cacheDirectory, platform, arch } = machine;
  try {
    return await findTool(name, {
      env: { ...env, PATH: "" },
      cacheDirectory,
      platform,
      arch,
      mayBuild: false,
    });
  } catch (error) {
    if (error instanceof ToolNotFoundError) return undefined;
    throw error;
  }
}

async function goIsThere({ machine }: Scene): Promise<boolean> {
  const [go] = await versionsOnPath(machine, "go", ["version"], (stdout) => /go(\d[\w.]*)/.exec(stdout)?.[1]);
  return go?.version !== undefined && satisfies(go.version, ">=1.21");
}
