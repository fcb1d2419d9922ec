import { forbidden, pathNotFound } from "../../apimachinery/errors.ts";
import { defaultCustomResource } from "../../apimachinery/schema/default.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { fields } from "../../server/registry/reset-fields.ts";
import type { Scope } from "../../server/registry/scope.ts";
import type { Kind, StrategyContext } from "../../server/registry/strategy.ts";
import type { Columns } from "../../server/table/printer.ts";
import { customColumns } from "../columns.ts";
import { type ConversionContext, convertObjects } from "../conversion/convert.ts";
import type { CustomResourceType, CustomVersion } from "../custom-resource-definition.ts";
import { releaseDefinition } from "../definition/removal.ts";
import { definitionCollection } from "../definition/status.ts";
import { validateCustomResource } from "./validate-custom-resource.ts";
import { createCustomView } from "./view.ts";

const statusResets = fields("metadata", "spec");

/**
 * Returns the kind of a custom type, from its definition (customresource_handler of apiextensions-apiserver).
 */
export function createCustomKind(type: CustomResourceType, context: ConversionContext): Kind {
  const { group, version, kind, namespaced, custom } = type;
  const { schema, scale, spec } = custom;
  let columns: Columns | undefined;
  return {
    strategy: {
      generation: true,
      // apiextensions refuses an update without a resourceVersion.
      unconditionalUpdate: false,
      checkMayBeCreated: (draft, strategyContext, scope) =>
        checkDefinition(custom, draft, strategyContext, scope),
      afterDelete: releaseDefinition,
    },
    setDefaults(object) {
      if (schema !== undefined) defaultCustomResource(object, schema);
    },
    validate: (object, options) =>
      validateCustomResource(object, schema ?? {}, { ...options, group, version, kind, namespaced, scale }),
    warnings: () => [],
    statusResets,
    selectableFields: {
      paths: spec.selectableFields?.map(({ jsonPath }) => jsonPath.replace(/^\./, "")) ?? [],
    },
    // The paths of the columns are parsed once for each version of the definition.
    columns: (registry) => {
      columns ??= customColumns(type, registry);
      return columns;
    },
    view: createCustomView(type, context),
    inVersion: (object, apiVersion) => ({ ...object, apiVersion }),
    convert: (objects, apiVersion, signal) => convertObjects(context, custom, objects, apiVersion, signal),
  };
}

/**
 * Refuses to create a custom resource whose definition is missing or being deleted (forbidCreateAdmission).
 * @throws ApiStatusError 403 or 404
 */
function checkDefinition(
  custom: CustomVersion,
  object: ApiObject,
  { store }: Pick<StrategyContext, "store">,
  { type }: Scope,
): void {
  const definition = store.get(definitionCollection, custom.definition);
  if (definition === undefined) throw pathNotFound();
  if (definition.object.metadata.deletionTimestamp === undefined) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw forbidden(type.group, type.plural, object.metadata.name ?? "", why);
}
