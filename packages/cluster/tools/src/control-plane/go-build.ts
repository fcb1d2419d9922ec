import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InstalledTool, installedTool, installTool } from "../install.ts";
import { executablesOnPath } from "../on-path.ts";
import { type ControlPlaneProgram, requirementOf } from "../versions.ts";
import { withBuildLock } from "./build-lock.ts";
import { type Go, writeModule } from "./go-module.ts";

/** The programs that can be built: the control plane, and kind. */
export type GoProgram = ControlPlaneProgram | "kind";

export interface GoBuildOptions {
  /** The environment whose PATH has `go`, and whose GOPROXY, proxies and caches are used. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the built programs. */
  readonly tools: string;
  /** The name of the program's directory in it. */
  readonly directory: string;
  readonly log: (line: string) => void;
}

/** How often a long build reports that it still runs, in ms. */
const progressInterval = 20_000;

/**
 * Builds a program from its Go module into the cache. The first build takes minutes, later ones seconds if
 * Go's own caches are warm. If several processes ask at once, one builds and the others wait.
 *
 * @returns the program, or the reason why it cannot be built without `go`
 * @throws Error with the end of Go's output when the build fails
 */
export async function goBuild(
  name: GoProgram,
  options: GoBuildOptions,
): Promise<InstalledTool | { readonly problem: string }> {
  const [executable] = await executablesOnPath("go", options.env);
  if (executable === undefined) return { problem: "there is no go on the PATH" };
  return withBuildLock(options.tools, options.directory, options.log, async () => {
    // The previous holder of the lock may have built it.
    const installed = await installedTool(name, options.tools, options.directory);
    if (installed) return installed;
    const { release } = requirementOf(name);
    options.log(
      `${name}: building ${release} from its Go module with ${executable} (once, takes a few minutes)`,
    );
    const startedAt = performance.now();
    const progress = setInterval(() => {
      options.log(`${name}: still building after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }, progressInterval);
    const module = await mkdtemp(join(tmpdir(), "operator-path-go-"));
    try {
      const go = runner(executable, name, options.env);
      const target = await writeModule(name, module, go);
      await go(["mod", "tidy"], module);
      return await installTool(name, options.tools, options.directory, async (path) => {
        // The linker strips debug information (-s -w), so the compiler need not spend a seventh of its time on it.
        const flags = ["-trimpath", "-gcflags=all=-dwarf=false", "-ldflags", target.ldflags];
        await go(["build", ...flags, "-o", path, target.package], module);
      });
    } finally {
      clearInterval(progress);
      await rm(module, { recursive: true, force: true });
    }
  });
}

/**
 * Returns a function that runs `go` with the user's proxies and caches, but without the variables that would
 * change the build.
 */
function runner(executable: string, name: GoProgram, env: NodeJS.ProcessEnv): Go {
  const fixedEnv = {
    GOFLAGS: "-mod=mod -buildvcs=false",
    GOWORK: "off",
    GOOS: "",
    GOARCH: "",
    CGO_ENABLED: "0",
  };
  return async (args, cwd) => {
    const { execa } = await import("execa");
    const result = await execa(executable, args, {
      cwd,
      env: { ...env, ...fixedEnv },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    if (!result.failed) return result.stdout;
    const words = `${result.stderr}`.trim().split("\n").slice(-5).join("\n  ");
    throw new Error(
      `${name} could not be built: go ${args.slice(0, 2).join(" ")} failed:\n  ${words || result.originalMessage}\n` +
        `${alternative(name)}, or make Go's module proxy reachable.`,
    );
  };
}

function alternative(name: GoProgram): string {
  if (name === "kind") return `Install kind (${requirementOf(name).manual})`;
  return "Set KUBEBUILDER_ASSETS to a folder that holds etcd and kube-apiserver";
}
