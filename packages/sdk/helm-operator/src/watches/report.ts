import { closest } from "../closest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

type Path = readonly (string | number)[];

/** Notes a mistake in the entry. @param path of the field, seen from the entry */
export type Report = (message: string, path?: Path) => void;

/** Fields that nobody knows, each with the known one that was probably meant. */
export function reportUnknown(
  table: JsonObject,
  known: readonly string[],
  report: Report,
  path: Path = [],
): void {
  for (const field of Object.keys(table)) {
    if (known.includes(field)) continue;
    const meant = closest(field, known);
    const wayOut = meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean ${meant}?`;
    report(`there is no field ${[...path, field].join(".")}: ${wayOut}`, [...path, field]);
  }
}

/** A value in a message: long ones are cut. */
export function inWords(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  return isJsonObject(value) ? "a table" : JSON.stringify(value).slice(0, 80);
}
