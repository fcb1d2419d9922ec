import type { CustomResourceDefinition } from "@operator-path/client";
import { type FoundObject, kindOf, readManifests } from "./read-manifests.ts";

export type FoundCrd = FoundObject<CustomResourceDefinition>;

/** Go: envtest's CRDInstallOptions. @throws UserError naming the file that cannot be read, or has none */
export function readCrds(given: readonly (CustomResourceDefinition | string)[]): Promise<FoundCrd[]> {
  return readManifests<CustomResourceDefinition>(given, {
    ...{ option: "crds", noun: "CustomResourceDefinition" },
    isWanted: (object): object is CustomResourceDefinition => kindOf(object) === "CustomResourceDefinition",
  });
}
