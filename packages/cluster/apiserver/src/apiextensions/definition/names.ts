import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../lib/clock.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import type { StrategyContext } from "../../server/registry/strategy.ts";
import type { CustomResourceDefinition } from "../custom-resource-definition.ts";
import { addCustomResource } from "../custom-types.ts";
import { acceptNames, type DefinitionNames } from "./accepted-names.ts";
import {
  type Condition,
  type Definition,
  definitionCollection,
  withCondition,
  writeStatus,
} from "./status.ts";

/**
 * Accepts the names of a definition, unless another one of its group has them, and serves its versions. A
 * real server takes a moment for this; here it is immediate. An established definition stays established: a
 * name that is taken later is not accepted, and the definition is served under its old names.
 */
export function establish(definition: ApiObject, context: StrategyContext): void {
  const name = definition.metadata.name ?? "";
  const before = context.store.get(definitionCollection, name)?.object as Definition | undefined;
  if (before === undefined) return;
  const changed = settle(before, context);
  serve(name, context);
  if (changed) settleOthers(before, context);
}

/** Writes accepted names and conditions into the status. @returns whether the accepted names have changed */
function settle({ metadata, spec, status }: Definition, context: StrategyContext): boolean {
  const stored = context.store.get(definitionCollection, metadata.name ?? "");
  if (stored === undefined) return false;
  const taken = definitionsOf(spec.group, context).map(acceptedNamesOf);
  const accepted = acceptedNamesOf({ status });
  const { names, ...verdict } = acceptNames(spec.names, accepted, taken);
  const time = timestamp(context.clock.now());
  const conditions = status?.conditions ?? [];
  const isEstablished = conditions.some(({ type, status }) => type === "Established" && status === "True");
  const established =
    verdict.status === "True"
      ? { status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" }
      : { status: "False", reason: "NotAccepted", message: "not all names are accepted" };
  const now = [
    { type: "NamesAccepted", lastTransitionTime: time, ...verdict },
    ...(isEstablished ? [] : [{ type: "Established", lastTransitionTime: time, ...established }]),
  ].reduce<Condition[]>(withCondition, conditions);
  const draft = {
    ...stored.object,
    status: { ...status, acceptedNames: names as unknown as JsonObject, conditions: now },
  };
  if (!isDeepStrictEqual(draft, stored.object)) writeStatus(context, stored, draft);
  // A real server creates the watch cache of a custom resource at this moment, and it has no history.
  if (!isEstablished && verdict.status === "True") context.store.restartHistory(metadata.name ?? "");
  return !isDeepStrictEqual(names, accepted);
}

function acceptedNamesOf({ status }: Pick<Definition, "status">): DefinitionNames {
  return status?.acceptedNames ?? { plural: "", kind: "" };
}

/** Settles the other definitions after one has released names. These may release names in turn. */
function settleOthers(definition: Definition, context: StrategyContext): void {
  for (const { metadata } of definitionsOf(definition.spec.group, context)) {
    const name = metadata.name ?? "";
    const waiting = context.store.get(definitionCollection, name)?.object as Definition | undefined;
    if (name === definition.metadata.name || waiting === undefined) continue;
    if (!settle(waiting, context)) continue;
    serve(name, context);
    settleOthers(waiting, context);
  }
}

function definitionsOf(group: string, context: StrategyContext): Definition[] {
  const definitions = context.store.range(definitionCollection).map(({ object }) => object as Definition);
  return definitions.filter(({ spec }) => spec.group === group);
}

/** Serves a definition under its accepted names, if it is established. */
function serve(name: string, context: StrategyContext): void {
  const definition = context.store.get(definitionCollection, name)?.object as Definition | undefined;
  if (definition === undefined) return;
  const { spec, status } = definition;
  if (!status?.conditions?.some(({ type, status }) => type === "Established" && status === "True")) return;
  const accepted = { ...definition, spec: { ...spec, names: acceptedNamesOf(definition) } };
  addCustomResource(context.registry, accepted as unknown as CustomResourceDefinition);
}

/** Stops serving a deleted definition, and releases its names. */
export function withdraw(definition: ApiObject, context: StrategyContext): void {
  context.registry.removeCustomTypes(definition.metadata.name ?? "");
  settleOthers(definition as Definition, context);
}
