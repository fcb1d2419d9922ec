import { mergeConfig } from "vitest/config";
import { defineProject } from "../../vitest.shared.ts";

export default mergeConfig(defineProject({ isolate: false }), {
  // A page that is wrong takes as long as it may before it fails: `pnpm test:slow`, in `.ci/run`.
  test: { include: [process.env.SLOW ? "tests/slow/*.test.ts" : "tests/*.test.ts"] },
});
