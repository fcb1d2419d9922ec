import type { JsonObject } from "../json.ts";
import { coalesceValues } from "../values/coalesce-values.ts";
import { overrideValues } from "../values/override-values.ts";
import { specValues } from "../values/value-functions.ts";
import type { Run } from "./run.ts";

export interface Values {
  /** The values that helm gets: it adds the chart's defaults itself. */
  readonly given: JsonObject;
  /** The values that the chart's templates see, for hooks. */
  readonly all: JsonObject;
}

/** Returns the values of an object: translated (default: its spec), overridden, mapped. */
export async function valuesOf({ settings, object, status }: Run): Promise<Values> {
  try {
    const { valueTranslator = specValues, valueMapper, overrideValues: overrides = {}, chart } = settings;
    const translated = await valueTranslator(object);
    const overridden = overrideValues(translated, overrides);
    const given = valueMapper ? await valueMapper(overridden) : overridden;
    return { given, all: coalesceValues(chart.values, given) };
  } catch (error) {
    status.irreconcilable("ErrorGettingValues", error);
    throw error;
  }
}
