import { defineConfig } from "vitest/config";

/**
 * One configuration for every package: workspace imports resolve to their sources.
 *
 * @param options.isolate false: test files share the modules that they import, for packages whose modules keep nothing
 * but caches and take long to load. Default true.
 */
export function defineProject({ isolate = true }: { isolate?: boolean } = {}) {
  const conditions = ["@operator-path/source", "module", "node", "development|production"];
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ["src/**/*.test.ts"],
      testTimeout: 20_000,
      hookTimeout: 20_000,
      maxWorkers: 2,
      isolate,
      // `pnpm count-tests` sums these up, for the closing line of .ci/run.
      reporters: ["default", ["json", { outputFile: "node_modules/.vitest/results.json" }]],
    },
  });
}
