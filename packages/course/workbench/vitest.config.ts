import { defineProject } from "../../../vitest.shared.ts";

export default defineProject({ isolate: false });
