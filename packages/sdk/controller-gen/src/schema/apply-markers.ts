import { itemsPrefix } from "../markers/all-markers.ts";
import type { Marker } from "../markers/definition.ts";
import type { SchemaMarker } from "../markers/schema-marker-forms.ts";
import type { Report } from "../problem.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Schema } from "./schema.ts";

/**
 * Applies markers to a schema in the order of their priorities. Markers for the items of a list come last.
 */
export function applyMarkers(
  schema: Schema,
  markers: readonly Marker[],
  file: SourceFile,
  report: Report,
): void {
  const [forItems, others] = [markers.filter(isForItems), markers.filter((marker) => !isForItems(marker))];
  for (const marker of [...byPriority(others), ...byPriority(forItems)]) {
    const { apply, name } = marker.definition as SchemaMarker;
    const target = isForItems(marker) ? schema.items : schema;
    const place = { file, offset: marker.offset };
    if (target === undefined) {
      report(place, `+${name}: it applies to the items of a list, but this is not a list`);
      continue;
    }
    try {
      apply(target, marker.value);
    } catch (error) {
      report(place, `+${name}: ${(error as Error).message}`);
    }
  }
}

function isForItems({ definition }: Marker): boolean {
  return definition.name.startsWith(itemsPrefix);
}

function byPriority(markers: readonly Marker[]): Marker[] {
  const priority = ({ definition }: Marker): number => (definition as SchemaMarker).priority ?? 10;
  return markers.filter(({ definition }) => "apply" in definition).sort((a, b) => priority(a) - priority(b));
}
