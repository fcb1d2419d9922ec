import type { StatusCause } from "../apimachinery/errors.ts";
import type { FieldReader } from "../apimachinery/selectors/fields.ts";
import { validateObjectMeta } from "../apimachinery/validation/object-meta.ts";
import type { ApiObject, JsonObject } from "../lib/json/json.ts";
import type { FieldSet } from "../lib/structured-merge-diff/field-set.ts";
import { fields } from "../server/registry/reset-fields.ts";
import type { Kind, ObjectView, Strategy, ValidationOptions } from "../server/registry/strategy.ts";
import { definePrinter, nameOf, type Printer } from "../server/table/printer.ts";
import type { ResourceType } from "../server/types/resource-type.ts";

/**
 * What a built-in kind defines. Everything is optional. A kind without any of it has only its metadata
 * validated.
 */
export interface BuiltInKind {
  strategy?: Strategy;
  /** Sets the defaults in place, as decoding does in a real server (SetDefaults_… of each API package). */
  setDefaults?(object: JsonObject): void;
  /** Validates metadata.name. Default: a lowercase RFC 1123 subdomain. */
  validateName?(name: string): string[];
  /**
   * Validates an object with its defaults (Validate… of each API package). Its metadata has been validated.
   */
  validate?(object: ApiObject, old: ApiObject | undefined): StatusCause[];
  /**
   * Validators by subresource. Any other subresource validates its own changes: bindings set spec.nodeName.
   */
  validateSubresource?: Readonly<Record<string, (object: ApiObject) => StatusCause[]>>;
  /** WarningsOnCreate and WarningsOnUpdate of the strategy: texts for `Warning` headers. */
  warnings?(object: ApiObject, old: ApiObject | undefined): string[];
  /** The fields that a write to the status leaves unchanged. Default: spec. */
  statusResets?: FieldSet;
  /** Fills the columns that `src/generated` recorded from a real server. Default: name and creation time. */
  printer?: Printer;
  /** Fields for field selectors beside metadata.name and metadata.namespace (AddFieldLabelConversionFunc). */
  fieldLabels?: ReadonlyMap<string, FieldReader>;
  /** Shows objects that are stored in another version. Default: only their apiVersion differs. */
  createView?(): ObjectView;
  /** Returns an object in another version of the kind. Default: only its apiVersion differs. */
  inVersion?(object: ApiObject, apiVersion: string): ApiObject;
}

/** Prints Name and Created At, a date instead of an age, for kinds without a printer of their own. */
const defaultPrinter = definePrinter((object) => [nameOf(object), object.metadata.creationTimestamp ?? null]);

const spec = fields("spec");

/** Returns the kind of a built-in type. */
export function createBuiltInKind(type: ResourceType, own: BuiltInKind): Kind {
  const inVersion = own.inVersion ?? ((object: ApiObject, apiVersion: string) => ({ ...object, apiVersion }));
  return {
    strategy: own.strategy ?? {},
    setDefaults: (object) => own.setDefaults?.(object),
    validate: (object, options) => validate(type, own, object, options),
    warnings: (object, old) => own.warnings?.(object, old) ?? [],
    statusResets: own.statusResets ?? spec,
    selectableFields: own.fieldLabels === undefined ? {} : { labels: own.fieldLabels },
    columns: (registry) => ({
      definitions: registry.columns(type) ?? [],
      printer: own.printer ?? defaultPrinter,
    }),
    ...(own.createView === undefined ? {} : { view: own.createView() }),
    inVersion,
    convert: async (objects, apiVersion) => objects.map((object) => inVersion(object, apiVersion)),
  };
}

function validate(
  type: ResourceType,
  own: BuiltInKind,
  object: ApiObject,
  { old, subresource = "" }: ValidationOptions,
): StatusCause[] {
  const causes = validateObjectMeta(object.metadata, "metadata", {
    namespaced: type.namespaced,
    name: own.validateName,
    coreKind: type.group === "",
    old: old?.metadata,
  });
  const more =
    subresource === "" ? own.validate?.(object, old) : own.validateSubresource?.[subresource]?.(object);
  return [...causes, ...(more ?? [])];
}
