import type { ApiObject } from "../../lib/json/json.ts";
import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { Table, TableOptions } from "../../server/table/table.ts";
import { toTable } from "../../server/table/table.ts";
import type { TypeRegistry } from "../../server/types/registry.ts";
import type { ColumnDefinition } from "../../server/types/resource-type.ts";

interface Scale extends Named {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

const printer = definePrinter<Scale>((scale, context) => [
  nameOf(scale),
  scale.spec?.replicas ?? 0,
  scale.status?.replicas ?? 0,
  ageOf(scale, context),
]);

/**
 * Returns an autoscaling/v1 Scale as a Table: what `kubectl get deployment web --subresource=scale` prints. A
 * Scale cannot be listed, so the type data has no columns for it. The descriptions are those of its fields.
 */
export function toScaleTable(
  scale: ApiObject,
  registry: Pick<TypeRegistry, "definition">,
  options: TableOptions,
): Table {
  const describe = (definition: string, field: string): string => {
    return registry.definition(definition)?.properties?.[field]?.description ?? "";
  };
  const column = (name: string, type: string, description: string): ColumnDefinition => {
    return { name, type, format: "", description, priority: 0 };
  };
  const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  const definitions = [
    column("Name", "string", describe(meta, "name")),
    column("Desired", "integer", describe("io.k8s.api.autoscaling.v1.ScaleSpec", "replicas")),
    column("Available", "integer", describe("io.k8s.api.autoscaling.v1.ScaleStatus", "replicas")),
    column("Age", "string", describe(meta, "creationTimestamp")),
  ];
  return toTable([scale], { definitions, printer }, options);
}
