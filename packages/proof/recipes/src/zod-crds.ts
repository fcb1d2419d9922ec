import { customResourceDefinition, definitionFile, writeFiles } from "@operator-path/controller-gen";
import { caches } from "./zod.ts";

/** Writes the CRD of Caches to `config/crd/bases` below a folder. */
export function writeDefinitions(folder: string): void {
  const definition = customResourceDefinition(caches, {
    additionalPrinterColumns: [{ name: "Maximum", type: "integer", jsonPath: ".spec.maximum" }],
  });
  writeFiles([definitionFile(definition, `${folder}/config/crd/bases`)], folder);
}
