import { access } from "./cases/access.ts";
import { admission } from "./cases/admission.ts";
import { badInputs } from "./cases/bad-inputs.ts";
import { customResources } from "./cases/custom-resources.ts";
import { decoding } from "./cases/decoding.ts";
import { definitionExchanges } from "./cases/definitions.ts";
import { metadata } from "./cases/metadata.ts";
import { others } from "./cases/others.ts";
import { patches } from "./cases/patches.ts";
import { podExchanges } from "./cases/pods.ts";
import { ruleDefinitions } from "./cases/rule-definitions.ts";
import { rules } from "./cases/rules.ts";
import { versions } from "./cases/versions.ts";
import { workloads } from "./cases/workloads.ts";
import type { Exchange } from "./exchange.ts";

/** The exchanges by the file of their recorded responses. */
export const caseFiles: Record<string, Exchange[]> = {
  access,
  admission,
  "bad-inputs": badInputs,
  "custom-resources": customResources,
  decoding,
  definitions: definitionExchanges,
  metadata,
  others,
  patches,
  pods: podExchanges,
  "rule-definitions": ruleDefinitions,
  rules,
  versions,
  workloads,
};
