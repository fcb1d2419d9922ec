import { join } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * One configuration for every package: workspace imports resolve to their sources.
 *
 * @param options.isolate false: test files share the modules that they import, for packages whose modules keep nothing
 * but caches and take long to load. Default true.
 * @param options.maxWorkers more than 2 for tests that mostly wait for programs which they have started
 */
export function defineProject({ isolate = true, maxWorkers = 2 } = {}) {
  // What Node has compiled is found by the next worker, package and program that a test starts.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");
  // For hangs: on a machine that is busy with other things everything takes several times as long. In milliseconds.
  const limits = process.env.SLOW ? { test: 1_800_000, wait: 300_000 } : { test: 300_000, wait: 60_000 };
  return defineConfig({
    test: {
      // What takes long beside what it proves: `pnpm test:slow`, in `.ci/run`.
      include: [process.env.SLOW ? "src/**/*.slow.test.ts" : "src/**/!(*.slow).test.ts"],
      testTimeout: limits.test,
      hookTimeout: limits.test,
      expect: { poll: { timeout: limits.wait } },
      // For `vi.waitFor`, whose limit no setting changes: vitest.setup.ts reads it.
      provide: { wait: limits.wait },
      setupFiles: ["vitest.imports.ts", "vitest.setup.ts"].map((file) => join(import.meta.dirname, file)),
      maxWorkers,
      isolate,
      // As everything here runs: on Node's own type stripping. Vite would transform all sources anew for each package.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: ["--conditions=@operator-path/source"],
      // `pnpm count-tests` sums these up, for the closing line of .ci/run.
      reporters: [
        "default",
        ["json", { outputFile: `node_modules/.vitest/${process.env.SLOW ? "slow" : "results"}.json` }],
      ],
    },
  });
}
