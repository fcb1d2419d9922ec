import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    passWithNoTests: true,
    include: ["{api,controllers,src}/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
