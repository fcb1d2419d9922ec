import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { NONE } from "../printing.ts";

interface ControllerRevision extends Named {
  revision?: number;
}

const controllerRevisionPrinter = definePrinter<ControllerRevision>((object, context) => {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return [
    nameOf(object),
    owner === undefined ? NONE : formatOwner(owner.apiVersion, owner.kind, owner.name),
    object.revision ?? 0,
    ageOf(object, context),
  ];
});

/** Returns an owner as kubectl shows it: `statefulset.apps/web`. */
function formatOwner(apiVersion: string, kind: string, name: string): string {
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  return `${kind}${group}`.toLowerCase().concat("/", name);
}

/** apps/v1 ControllerRevision. */
export const controllerRevisionKind: BuiltInKind = { printer: controllerRevisionPrinter };
