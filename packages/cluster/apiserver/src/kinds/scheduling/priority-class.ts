import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { setDefault } from "../set-default.ts";

/** The two priority classes of Pods that the cluster depends on. */
const systemClasses: Record<string, number> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};
const highestOfUsers = 1_000_000_000;

/** Validates a scheduling/v1 PriorityClass. */
function validatePriorityClass(priorityClass: ApiObject, old?: ApiObject): StatusCause[] {
  const { name = "" } = priorityClass.metadata;
  const value = typeof priorityClass.value === "number" ? priorityClass.value : 0;
  const causes: StatusCause[] = [];
  if (old !== undefined) {
    if (value !== (old.value ?? 0)) causes.push(forbidden("value", "may not be changed in an update."));
    if (priorityClass.preemptionPolicy !== old.preemptionPolicy) {
      causes.push(invalid("preemptionPolicy", priorityClass.preemptionPolicy, "field is immutable"));
    }
    return causes;
  }
  if (name.startsWith("system-")) {
    if (systemClasses[name] !== value) {
      const why =
        systemClasses[name] === undefined
          ? `${name} is not a known system priority class`
          : `value of ${name} PriorityClass must be ${systemClasses[name]}`;
      causes.push(
        forbidden(
          "metadata.name",
          `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
        ),
      );
    }
  } else if (value > highestOfUsers) {
    causes.push(forbidden("value", `maximum allowed value of a user defined priority is ${highestOfUsers}`));
  }
  const policies = ["Never", "PreemptLowerPriority"];
  if (!policies.includes(String(priorityClass.preemptionPolicy))) {
    causes.push(
      notSupported("preemptionPolicy", priorityClass.preemptionPolicy, ["PreemptLowerPriority", "Never"]),
    );
  }
  return causes;
}

interface PriorityClass extends Named {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

const priorityClassPrinter = definePrinter<PriorityClass>((object, context) => [
  nameOf(object),
  object.value ?? 0,
  object.globalDefault ?? false,
  ageOf(object, context),
  object.preemptionPolicy ?? "",
]);

/** scheduling/v1 PriorityClass. */
export const priorityClassKind: BuiltInKind = {
  strategy: { generation: true },
  setDefaults: (object) => setDefault(object, "preemptionPolicy", "PreemptLowerPriority"),
  validate: validatePriorityClass,
  printer: priorityClassPrinter,
};
