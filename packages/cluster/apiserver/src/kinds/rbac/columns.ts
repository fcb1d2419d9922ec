import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface RoleBinding extends Named {
  roleRef?: { kind?: string; name?: string };
  subjects?: { kind?: string; name?: string; namespace?: string }[];
}

/** Of RoleBinding and ClusterRoleBinding. */
export const roleBindingPrinter = definePrinter<RoleBinding>((object, context) => {
  const subjects = object.subjects ?? [];
  const named = (kind: string): string[] => {
    return subjects.filter((subject) => subject.kind === kind).map(({ name = "" }) => name);
  };
  const accounts = subjects
    .filter(({ kind }) => kind === "ServiceAccount")
    .map(({ namespace = "", name = "" }) => (namespace === "" ? name : `${namespace}/${name}`));
  return [
    nameOf(object),
    `${object.roleRef?.kind ?? ""}/${object.roleRef?.name ?? ""}`,
    ageOf(object, context),
    named("User").join(", "),
    named("Group").join(", "),
    accounts.join(", "),
  ];
});
