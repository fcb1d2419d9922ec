import { join } from "node:path";

/** Folder of this checkout. The course runs from its sources, so the folder does not change during a run. */
export const repositoryRoot = join(import.meta.dirname, "..", "..", "..", "..");
