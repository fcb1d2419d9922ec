import { join } from "node:path";

/** Where this checkout is; the course runs from its sources, so this never changes while it runs. */
export const repositoryRoot = join(import.meta.dirname, "..", "..", "..", "..");
