import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, invalid, required, tooMany } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { objects, text } from "../../lib/json/read.ts";
import {
  checkExpression,
  type Expectation,
  type ExpressionVariables,
} from "../../server/admission/policies/expression.ts";

/** Validates that a CEL expression compiles. */
export function validateExpression(
  expression: string,
  path: string,
  expects: Expectation,
  variables: ExpressionVariables,
): StatusCause[] {
  const problem = checkExpression(expression, expects, variables);
  return typeof problem === "string" ? [invalid(path, expression, problem)] : [];
}

/** Validates the admissionregistration/v1 MatchConditions of a webhook or a policy. */
export function validateMatchConditions(
  conditions: JsonObject[string],
  path: string,
  variables: ExpressionVariables,
): StatusCause[] {
  const all = objects(conditions);
  const names = all.map(({ name }) => text(name));
  return [
    ...(all.length > 64 ? [tooMany(path, all.length, 64)] : []),
    ...all.flatMap((condition, index) => {
      const at = `${path}[${index}]`;
      const name = names[index] as string;
      const expression = text(condition.expression).trim();
      return [
        ...(expression === ""
          ? [required(`${at}.expression`)]
          : validateExpression(expression, `${at}.expression`, "bool", variables)),
        ...(name === ""
          ? [required(`${at}.name`)]
          : isQualifiedName(name).map((error) => invalid(`${at}.name`, name, error))),
        ...(name !== "" && names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : []),
      ];
    }),
  ];
}
