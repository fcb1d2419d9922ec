import { customResources } from "./cases/custom-resources.ts";
import { decoding } from "./cases/decoding.ts";
import { definitionExchanges } from "./cases/definitions.ts";
import { metadata } from "./cases/metadata.ts";
import { others } from "./cases/others.ts";
import { patches } from "./cases/patches.ts";
import { podExchanges } from "./cases/pods.ts";
import { workloads } from "./cases/workloads.ts";
import type { Exchange } from "./exchange.ts";

/** The exchanges by the name of the file that their answers are in. */
export const caseFiles: Record<string, Exchange[]> = {
  "custom-resources": customResources,
  decoding,
  definitions: definitionExchanges,
  metadata,
  others,
  patches,
  pods: podExchanges,
  workloads,
};
