import { closest } from "../closest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

type Path = readonly (string | number)[];

/** Reports a mistake in the entry. @param path of the field, relative to the entry */
export type Report = (message: string, path?: Path) => void;

/** Reports unknown fields, each with the known one that was probably meant. */
export function reportUnknown(
  table: JsonObject,
  known: readonly string[],
  report: Report,
  path: Path = [],
): void {
  for (const field of Object.keys(table)) {
    if (known.includes(field)) continue;
    const meant = closest(field, known);
    const suggestion = meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean ${meant}?`;
    report(`there is no field ${[...path, field].join(".")}: ${suggestion}`, [...path, field]);
  }
}

/** Describes a value in a message, and cuts long ones. */
export function inWords(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  return isJsonObject(value) ? "a table" : JSON.stringify(value).slice(0, 80);
}
