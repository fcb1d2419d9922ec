import { isJsonObject, type JsonValue } from "../json.ts";

/** A value as Go's `%v` prints it, which is how messages about patches quote them: `map[image:q name:x]`, `[a b]`. */
export function goPrint(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${key}:${goPrint(value[key])}`);
    return `map[${members.join(" ")}]`;
  }
  return String(value);
}
