import { mergeConfig } from "vitest/config";
import { defineProject } from "../vitest.shared.ts";

const include = [process.env.SLOW ? "**/*.slow.test.ts" : "**/!(*.slow).test.ts"];
export default mergeConfig(defineProject({ isolate: false }), { test: { include } });
