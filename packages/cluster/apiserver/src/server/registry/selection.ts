import { parseFieldSelector } from "../../apimachinery/selectors/fields.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/labels.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { ListOptions } from "./options.ts";
import type { Scope } from "./scope.ts";
import { compileFieldSelector } from "./selectable-fields.ts";
import type { Kind } from "./strategy.ts";

/** The objects of a collection that a request selects. */
export interface Selection {
  /** Whether there is no selector. */
  readonly everything: boolean;
  /** The prefix of all matching keys: empty, a whole key, or a text with a final slash. */
  readonly prefix: string;
  /** Set when only one object can match. */
  readonly key?: string;
  matches(object: ApiObject): boolean;
}

/**
 * Parses the selectors. @throws ApiStatusError 400 for invalid selectors, or fields that the kind does not
 * support
 */
export function select(
  scope: Scope,
  { selectableFields }: Pick<Kind, "selectableFields">,
  options: Pick<ListOptions, "labelSelector" | "fieldSelector">,
): Selection {
  const { type } = scope;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = compileFieldSelector(
    parseFieldSelector(options.fieldSelector),
    type.namespaced,
    selectableFields,
  );
  const namespace = scope.namespace || (type.namespaced ? (fields.namespace ?? "") : "");
  const prefix = type.namespaced && namespace !== "" ? `${namespace}/` : "";
  const exact =
    fields.name !== undefined && (!type.namespaced || prefix !== "") ? `${prefix}${fields.name}` : undefined;
  return {
    everything: labels.empty && fields.empty,
    prefix,
    ...(exact === undefined ? {} : { key: exact }),
    matches: (object) => labels.matches(object.metadata.labels) && fields.matches(object),
  };
}
