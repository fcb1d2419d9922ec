import { mergeConfig } from "vitest/config";
import { defineProject } from "../vitest.shared.ts";

export default mergeConfig(defineProject(), { test: { include: ["**/*.test.ts"] } });
