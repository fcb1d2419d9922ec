import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface StorageClass extends Named {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}

const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassPrinter = definePrinter<StorageClass>((object, context) => {
  const isDefault = DEFAULT_CLASS.some((key) => object.metadata.annotations?.[key] === "true");
  return [
    `${nameOf(object)}${isDefault ? " (default)" : ""}`,
    object.provisioner ?? "",
    object.reclaimPolicy ?? "Delete",
    object.volumeBindingMode ?? "Immediate",
    object.allowVolumeExpansion ?? false,
    ageOf(object, context),
  ];
});
