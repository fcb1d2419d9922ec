import { copyJson, isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";

/**
 * Returns what a chart's templates see as `.Values`: the chart's defaults (values.yaml) with `values` over
 * them, as helm coalesces them.
 *
 * - Tables are merged, everything else is replaced. Where only one side is a table, `values` wins.
 * - null in `values` deletes the default of that key. Without a default, null stays.
 * - null in the defaults counts as missing.
 *
 * Leaves subcharts' defaults, `global`, conditions and import-values to helm: a subchart's table in the
 * result holds only what this chart sets in it.
 *
 * Use the result for reading only, and give helm `values`: the result has lost the nulls that delete
 * defaults, so helm would bring those defaults back.
 *
 * @param chartDefaults the chart's own values.yaml
 * @param values the values that win; neither argument is changed
 */
export function coalesceValues(chartDefaults: JsonObject, values: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (value === null && Object.hasOwn(chartDefaults, key)) continue;
    const base = own(chartDefaults, key);
    put(result, key, isJsonObject(value) && isJsonObject(base) ? mergeTables(base, value) : copyJson(value));
  }
  return addDefaults(result, chartDefaults, values);
}

/** Merges tables below the top level. As in helm, a null stays there if the default is null, too. */
function mergeTables(defaults: JsonObject, values: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const base = own(defaults, key);
    if (value === null && base !== undefined && base !== null) continue;
    put(result, key, isJsonObject(value) && isJsonObject(base) ? mergeTables(base, value) : copyJson(value));
  }
  return addDefaults(result, defaults, values);
}

function addDefaults(result: JsonObject, defaults: JsonObject, values: JsonObject): JsonObject {
  for (const [key, base] of Object.entries(defaults)) {
    if (base === undefined || base === null || own(values, key) !== undefined) continue;
    put(result, key, withoutNulls(base));
  }
  return result;
}

/** Lists stay as they are: helm looks into tables only. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return copyJson(value);
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && member !== null) put(result, key, withoutNulls(member));
  }
  return result;
}
