import {
  decodeOrEmpty,
  type FieldManagerRequest,
  managedFieldsOfUpdate,
} from "../../apimachinery/managed-fields/field-manager.ts";
import { encodeManagers } from "../../apimachinery/managed-fields/managers.ts";
import { emptyObject, objectType } from "../../apimachinery/managed-fields/object-type.ts";
import {
  type ReplicasPaths,
  toParentManagers,
  toScaleManagers,
} from "../../apimachinery/managed-fields/scale-managers.ts";
import type { ApiObject, JsonValue } from "../../lib/json/json.ts";
import { emptySet } from "../../lib/structured-merge-diff/field-set.ts";
import { fieldElement } from "../../lib/structured-merge-diff/path-element.ts";
import { deducedType } from "../../lib/structured-merge-diff/typed-schema.ts";
import type { TypedObject } from "../../lib/structured-merge-diff/typed-value.ts";
import { applyTo, readConfiguration } from "../../server/endpoints/apply.ts";
import type { TrackingContext } from "../../server/registry/field-tracking.ts";
import { fieldManagerRequest, setManagedFields } from "../../server/registry/field-tracking.ts";
import type { PatchOptions } from "../../server/registry/options.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { groupVersion } from "../../server/types/resource-type.ts";

const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };
const apiVersion = "autoscaling/v1";

type ScaleTransform = (old: ApiObject) => ApiObject;

/** Field ownership of an object that is written through its Scale. */
interface ScaleTracking {
  /** Returns the Scale with the managers of its own fields. */
  withManagers(scale: ApiObject, parent: ApiObject): ApiObject;
  /** Returns the transform of an update, with field ownership tracked. */
  tracked(transform: ScaleTransform): ScaleTransform;
  /** Reads the request's body as an apply of the Scale. */
  readApply(): Promise<ScaleTransform>;
  /** Returns metadata.managedFields of the scaled object after the write. */
  parentManagers(scale: ApiObject, parent: ApiObject): { managedFields: JsonValue | undefined };
}

/**
 * Returns the field ownership of a scaled object.
 * @param replicas path of the replicas in the scaled object, in the request's version
 */
export function scaleTracking(
  context: TrackingContext,
  scope: Scope,
  replicas: readonly string[],
  options: PatchOptions,
): ScaleTracking {
  const schema = context.registry.schema(scaleKind.group, scaleKind.version, scaleKind.kind);
  const empty: TypedObject = {
    value: { ...(schema === undefined ? {} : emptyObject(schema)), apiVersion, kind: "Scale" },
    type: schema === undefined ? deducedType : objectType(schema),
    apiVersion,
  };
  const typed = (value: ApiObject): TypedObject => ({ ...empty, value });
  const request: FieldManagerRequest = {
    ...fieldManagerRequest(context, scope, options),
    convert: (object, version) => (version === apiVersion ? object : undefined),
    resetFields: emptySet,
  };
  const paths = replicasPaths(context, scope, replicas);
  return {
    withManagers(scale, parent) {
      const managers = toScaleManagers(decodeOrEmpty(parent.metadata.managedFields), paths);
      setManagedFields(scale, encodeManagers(managers));
      return scale;
    },
    tracked: (transform) => (old) => {
      const scale = transform(old);
      setManagedFields(scale, managedFieldsOfUpdate(typed(old), typed(scale), true, request));
      return scale;
    },
    async readApply() {
      const configuration = await readConfiguration(scope, options);
      return (old) => applyTo(context, scope, scaleKind, typed(old), empty, configuration, options);
    },
    parentManagers(scale, parent) {
      const before = decodeOrEmpty(parent.metadata.managedFields);
      const written = decodeOrEmpty(scale.metadata.managedFields);
      const managers = toParentManagers(before, written, groupVersion(scope.type), paths);
      return { managedFields: encodeManagers(managers) };
    },
  };
}

function replicasPaths(
  { registry }: Pick<TrackingContext, "registry">,
  { type }: Scope,
  replicas: readonly string[],
): ReplicasPaths {
  const own = [groupVersion(type), replicas.map(fieldElement)] as const;
  const { custom } = type;
  if (custom === undefined) return new Map([own]);
  const versions = registry.resources().filter((other) => other.custom?.definition === custom.definition);
  return new Map(
    versions.map((version) => {
      const path = version.custom?.scale?.specReplicasPath;
      return [groupVersion(version), path?.split(".").filter(Boolean).map(fieldElement)] as const;
    }),
  );
}
