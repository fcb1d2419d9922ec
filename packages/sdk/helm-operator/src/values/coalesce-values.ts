import { copyJson, isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";

/**
 * What a chart's templates see as `.Values`: its defaults (values.yaml), with `values` over them, as helm coalesces them.
 *
 * - Tables are merged, everything else is replaced; where one side is a table and the other is not, `values` wins.
 * - null in `values` deletes the default of that key. Where there is no default, null stays.
 * - null in the defaults is nothing.
 *
 * Subcharts' defaults, `global`, conditions and import-values are helm's own business when it renders: in the result a
 * subchart's table holds what the chart itself says of it.
 *
 * The result is for looking at. helm has to be given `values`: in the result a null has done its work and is gone, and
 * helm would bring the default back.
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

/** Below the top a null stays where the default is null, too: what was asked for is what is there. */
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

/** Lists are left as they are: helm looks into tables only. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return copyJson(value);
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && member !== null) put(result, key, withoutNulls(member));
  }
  return result;
}
