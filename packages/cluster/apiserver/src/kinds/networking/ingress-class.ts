import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { NONE } from "../printing.ts";

interface IngressClass extends Named {
  spec?: { controller?: string; parameters?: { apiGroup?: string; kind?: string; name?: string } };
}

const ingressClassPrinter = definePrinter<IngressClass>((object, context) => {
  const { metadata, spec } = object;
  const isDefault = metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true";
  const { apiGroup, kind = "", name = "" } = spec?.parameters ?? {};
  const parameters = `${kind}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name}`;
  return [
    `${nameOf(object)}${isDefault ? " (default)" : ""}`,
    spec?.controller ?? "",
    spec?.parameters === undefined ? NONE : parameters,
    ageOf(object, context),
  ];
});

/** networking/v1 IngressClass. */
export const ingressClassKind: BuiltInKind = { strategy: { generation: true }, printer: ingressClassPrinter };
