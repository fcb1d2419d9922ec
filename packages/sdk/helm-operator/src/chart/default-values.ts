import { isJsonObject, type JsonObject, own, put } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { ChartError } from "./chart-error.ts";

/**
 * A values.yaml as helm reads it: tables of several documents are merged, later ones over earlier ones; of a key that stands
 * twice in one table the last one counts; a document without anything in it is no values.
 *
 * @param file for messages
 * @throws ChartError naming the line
 */
export function parseValues(text: string, file: string): JsonObject {
  try {
    return parseYamlDocuments(text, { uniqueKeys: false }).reduce<JsonObject>((merged, { value, lineOf }) => {
      if (value === null) return merged;
      if (isJsonObject(value)) return mergeTables(merged, value);
      throw new ChartError(`${file}:${lineOf([])}: values are a table of keys, and this is something else`);
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
