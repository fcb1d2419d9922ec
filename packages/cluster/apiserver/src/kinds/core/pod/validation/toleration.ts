import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { invalid, notSupported } from "../../../../apimachinery/validation/cause.ts";
import { isLabelValue, isQualifiedName } from "../../../../lib/formats/names.ts";
import type { JsonValue } from "../../../../lib/json/json.ts";
import { objects, text } from "../../../../lib/json/read.ts";

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates a list of core/v1 Tolerations. */
export function validateTolerations(tolerations: JsonValue | undefined, path: string): StatusCause[] {
  return objects(tolerations).flatMap((toleration, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    if (key !== "") {
      causes.push(...isQualifiedName(text(key)).map((error) => invalid(`${inner}.key`, key, error)));
    } else if (operator !== "Exists") {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      causes.push(invalid(`${inner}.operator`, operator, detail));
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      causes.push(invalid(`${inner}.effect`, effect, detail));
    }
    if (operator === "Equal" || operator === "") {
      causes.push(...isLabelValue(text(value)).map((error) => invalid(`${inner}.operator`, value, error)));
    } else if (operator === "Exists") {
      if (value !== "") {
        causes.push(invalid(`${inner}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else causes.push(notSupported(`${inner}.operator`, operator, ["Equal", "Exists"]));
    if (effect !== "" && !taintEffects.includes(text(effect))) {
      causes.push(notSupported(`${inner}.effect`, effect, taintEffects));
    }
    return causes;
  });
}
