import { managedFieldsOfUpdate } from "../../apimachinery/managed-fields/field-manager.ts";
import { timestamp } from "../../lib/clock.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { fieldManagerRequest, setManagedFields, typingOf } from "../../server/registry/field-tracking.ts";
import type { StrategyContext } from "../../server/registry/strategy.ts";
import type { StoredObject } from "../../server/storage/stored-object.ts";
import type { DefinitionNames } from "./accepted-names.ts";

export const definitionCollection = "customresourcedefinitions.apiextensions.k8s.io";

/** The names and the status of an apiextensions/v1 CustomResourceDefinition. */
export type Definition = ApiObject & {
  spec: JsonObject & { group: string; names: DefinitionNames };
  /** Clients may write the status too, or omit it. */
  status?: JsonObject & { acceptedNames?: DefinitionNames | null; conditions?: Condition[] | null };
};

/** apiextensions/v1 CustomResourceDefinitionCondition. */
export interface Condition extends JsonObject {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** Adds a condition, or replaces the one of the same type. Its time changes only with its status. */
export function withCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  if (before === undefined) return [...conditions, condition];
  const { lastTransitionTime } = before.status === condition.status ? before : condition;
  return conditions.with(index, { ...before, ...condition, lastTransitionTime });
}

/** Returns a definition with a condition that has the current time. */
export function withConditionNow(
  definition: ApiObject,
  condition: Omit<Condition, "lastTransitionTime">,
  context: Pick<StrategyContext, "clock">,
): ApiObject {
  const { status } = definition as Definition;
  const made = { ...condition, lastTransitionTime: timestamp(context.clock.now()) } as Condition;
  const conditions = withCondition(status?.conditions ?? [], made);
  return { ...definition, status: { ...status, conditions } as JsonObject };
}

/** Writes the status of a definition, with kube-apiserver as the manager of its fields. */
export function writeStatus(
  context: Pick<StrategyContext, "store" | "registry" | "clock" | "kindOf">,
  stored: StoredObject,
  draft: ApiObject,
): StoredObject | undefined {
  const type = context.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  const tracked: ApiObject = { ...draft, metadata: { ...draft.metadata } };
  if (type !== undefined) {
    const { type: fields, apiVersion } = typingOf(context, type);
    const options = { dryRun: false, fieldManager: "kube-apiserver", fieldValidation: "" };
    const request = fieldManagerRequest(context, { type, subresource: "status" }, options);
    const live = { value: stored.object, type: fields, apiVersion };
    const now = { value: tracked, type: fields, apiVersion };
    setManagedFields(tracked, managedFieldsOfUpdate(live, now, true, request));
  }
  return context.store.replace(definitionCollection, stored, tracked);
}
