import { mergeConfig } from "vitest/config";
import { defineProject } from "../../vitest.shared.ts";

export default mergeConfig(defineProject({ isolate: false }), {
  test: { include: ["tests/*.test.ts"] },
});
