import type { ApiObject } from "../../lib/json/json.ts";
import { badRequest } from "../errors.ts";

/** One term of a field selector: `spec.nodeName!=worker`. */
export interface FieldRequirement {
  field: string;
  negated: boolean;
  value: string;
}

/** Reads a field that selectors support. */
export type FieldReader = (object: ApiObject) => string;

/**
 * Parses the `fieldSelector` parameter: terms with `=`, `==` or `!=`, separated by commas. In values, a
 * backslash escapes `\`, `,` and `=`. Grammar and messages are those of k8s.io/apimachinery/pkg/fields, which
 * also ignores empty terms and a single `=`.
 *
 * @throws ApiStatusError 400
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === "") continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = "", operator, value = ""] = match;
    const requirement = { field, negated: operator === "!=", value: unescapeValue(value) };
    if (field !== "" || requirement.value !== "") requirements.push(requirement);
  }
  return requirements;
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

function unescapeValue(value: string): string {
  return value.replaceAll(/\\(.?)|[,=]/gs, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (!["\\", ",", "="].includes(escaped)) {
      throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}
