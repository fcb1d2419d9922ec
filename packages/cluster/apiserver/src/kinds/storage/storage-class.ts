import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, notSupported, required } from "../../apimachinery/validation/cause.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { text } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { setDefault } from "../set-default.ts";

/** Validates a storage.k8s.io/v1 StorageClass. */
function validateStorageClass(storageClass: ApiObject, old?: ApiObject): StatusCause[] {
  const { provisioner, reclaimPolicy } = storageClass as JsonObject;
  const causes: StatusCause[] = [];
  if (text(provisioner) === "") causes.push(required("provisioner"));
  const policies = ["Delete", "Retain"];
  if (reclaimPolicy !== undefined && !policies.includes(text(reclaimPolicy))) {
    causes.push(notSupported("reclaimPolicy", reclaimPolicy, policies));
  }
  if (old === undefined) return causes;
  const detail = (name: string): string => `updates to ${name} are forbidden.`;
  for (const key of ["provisioner", "reclaimPolicy"]) {
    if ((old as JsonObject)[key] !== (storageClass as JsonObject)[key]) {
      causes.push(forbidden(key, detail(key)));
    }
  }
  return causes;
}

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

const storageClassPrinter = definePrinter<StorageClass>((object, context) => {
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

/** storage/v1 StorageClass. */
export const storageClassKind: BuiltInKind = {
  strategy: { returnsDeleted: true },
  setDefaults(object) {
    setDefault(object, "reclaimPolicy", "Delete");
    setDefault(object, "volumeBindingMode", "Immediate");
  },
  validate: validateStorageClass,
  printer: storageClassPrinter,
};
