import { isJsonObject, type JsonObject, own, put } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { ChartError } from "./chart-error.ts";

/**
 * Reads a values.yaml as helm does. Merges the tables of several documents, later ones over earlier ones. The
 * last of duplicate keys counts, and an empty document adds nothing.
 *
 * @param file for messages
 * @throws ChartError naming the line
 */
export function parseValues(text: string, file: string): JsonObject {
  try {
    return parseYamlDocuments(text, { uniqueKeys: false }).reduce<JsonObject>((merged, { value, lineOf }) => {
      if (value === null) return merged;
      if (isJsonObject(value)) return mergeTables(merged, value);
      throw new ChartError(`${file}:${lineOf([])}: values must be a table of keys`);
    }, {});
  } catch (error) {
    if (error instanceof YamlError)
      throw new ChartError(`${file}:${error.line}:${error.column}: ${error.message}`);
    throw error;
  }
}

function mergeTables(a: JsonObject, b: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(a)) if (value !== undefined) put(result, key, value);
  for (const [key, value] of Object.entries(b)) {
    const before = own(result, key);
    if (value === undefined) continue;
    put(result, key, isJsonObject(before) && isJsonObject(value) ? mergeTables(before, value) : value);
  }
  return result;
}
