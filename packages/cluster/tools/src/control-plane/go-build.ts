import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InstalledTool, installedTool, installTool } from "../install.ts";
import { executablesOnPath } from "../on-path.ts";
import { type ControlPlaneProgram, requirementOf } from "../versions.ts";
import { withBuildLock } from "./build-lock.ts";
import { type Go, writeModule } from "./go-module.ts";

/** What is built here: the control plane, and kind. */
export type GoProgram = ControlPlaneProgram | "kind";

export interface GoBuildOptions {
  /** Whose PATH has `go`, and whose GOPROXY, proxies and caches count. */
  readonly env: NodeJS.ProcessEnv;
  /** Folder that holds the built programs. */
  readonly tools: string;
  /** Name of the program's directory below it. */
  readonly directory: string;
  readonly log: (line: string) => void;
}

/** How often a build that takes minutes says that it is alive, in milliseconds. */
const sayEvery = 20_000;

/**
 * Builds a program from its Go module into the cache: minutes the first time, seconds when Go's own
 * caches are warm. Of several processes one builds, the others wait for it. Resolves to why it cannot be built here if
 * there is no `go`; throws an error with Go's last words when the build fails.
 */
export async function goBuild(
  name: GoProgram,
  o: GoBuildOptions,
): Promise<InstalledTool | { readonly problem: string }> {
  const [executable] = await executablesOnPath("go", o.env);
  if (executable === undefined) return { problem: "there is no go on the PATH" };
  return withBuildLock(o.tools, o.directory, o.log, async () => {
    // Whoever held the lock before has built it.
    const there = await installedTool(name, o.tools, o.directory);
    if (there) return there;
    const { release } = requirementOf(name);
    o.log(`${name}: building ${release} from its Go module with ${executable} (once, up to some minutes)`);
    const begin = performance.now();
    const said = setInterval(() => {
      o.log(`${name}: still building, ${Math.round((performance.now() - begin) / 1000)} s`);
    }, sayEvery);
    const module = await mkdtemp(join(tmpdir(), "operator-path-go-"));
    try {
      const go = runner(executable, name, o.env);
      const target = await writeModule(name, module, go);
      await go(["mod", "tidy"], module);
      return await installTool(name, o.tools, o.directory, async (path) => {
        await go(["build", "-trimpath", "-ldflags", target.ldflags, "-o", path, target.package], module);
      });
    } finally {
      clearInterval(said);
      await rm(module, { recursive: true, force: true });
    }
  });
}

/** The person's proxies and caches, but none of what would change the build. */
function runner(executable: string, name: GoProgram, env: NodeJS.ProcessEnv): Go {
  const own = { GOFLAGS: "-mod=mod -buildvcs=false", GOWORK: "off", GOOS: "", GOARCH: "", CGO_ENABLED: "0" };
  return async (args, cwd) => {
    const { execa } = await import("execa");
    const result = await execa(executable, args, {
      cwd,
      env: { ...env, ...own },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    if (!result.failed) return result.stdout;
    const words = `${result.stderr}`.trim().split("\n").slice(-5).join("\n  ");
    throw new Error(
      `${name} could not be built: go ${args.slice(0, 2).join(" ")} failed:\n  ${words || result.originalMessage}\n` +
        `${instead(name)}, or see that Go's module proxy is reachable.`,
    );
  };
}

function instead(name: GoProgram): string {
  if (name === "kind") return `Install kind (${requirementOf(name).manual})`;
  return "Set KUBEBUILDER_ASSETS to a folder that holds etcd and kube-apiserver";
}
