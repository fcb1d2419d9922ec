import type { Marker } from "../markers/definition.ts";
import type { SchemaMarker } from "../markers/schema-marker-forms.ts";
import { itemsPrefix } from "../markers/schema-markers.ts";
import type { Report } from "../problem.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Schema } from "./schema.ts";

/** Lets markers change a schema, in the order of their priorities; those for the items of a list come last. */
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
      report(place, `+${name}: it is for the items of a list, and here is no list`);
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
