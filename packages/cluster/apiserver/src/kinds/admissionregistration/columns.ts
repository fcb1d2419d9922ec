import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

export const webhookConfigurationPrinter = definePrinter<Named & { webhooks?: object[] }>(
  (object, context) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object, context)],
);

interface ValidatingAdmissionPolicy extends Named {
  spec?: { validations?: object[]; paramKind?: { apiVersion?: string; kind?: string } };
}

export const validatingAdmissionPolicyPrinter = definePrinter<ValidatingAdmissionPolicy>(
  (object, context) => {
    const { validations = [], paramKind } = object.spec ?? {};
    const shown = paramKind === undefined ? "<unset>" : `${paramKind.apiVersion}/${paramKind.kind}`;
    return [nameOf(object), validations.length, shown, ageOf(object, context)];
  },
);

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface PolicyBinding extends Named {
  spec?: { policyName?: string; paramRef?: { namespace?: string; name?: string; selector?: Selector } };
}

export const policyBindingPrinter = definePrinter<PolicyBinding>((object, context) => {
  const { policyName = "", paramRef } = object.spec ?? {};
  return [nameOf(object), policyName, paramText(paramRef), ageOf(object, context)];
});

function paramText(paramRef: NonNullable<PolicyBinding["spec"]>["paramRef"]): string {
  if (paramRef === undefined) return "<unset>";
  const { namespace = "", name = "", selector } = paramRef;
  if (name !== "") return namespace === "" ? `*/${name}` : `${namespace}/${name}`;
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** As Go prints the struct: metav1.LabelSelector has a String method. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
    .join("");
  const expressions = matchExpressions
    .map(({ key, operator, values = [] }) => {
      return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`;
    })
    .join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
