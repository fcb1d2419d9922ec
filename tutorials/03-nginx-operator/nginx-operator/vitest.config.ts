import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Test files share the modules that they import, and so start faster. Keep no state in modules.
    isolate: false,
    passWithNoTests: true,
    include: ["{api,controllers,src}/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
