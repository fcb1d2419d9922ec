import { customResources } from "./cases/custom-resources.ts";
import { decoding } from "./cases/decoding.ts";
import { patches } from "./cases/patches.ts";
import type { Exchange } from "./exchange.ts";

/** The exchanges by the name of the file that their answers are in. */
export const caseFiles: Record<string, Exchange[]> = {
  "custom-resources": customResources,
  decoding,
  patches,
};
