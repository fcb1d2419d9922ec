import type { JsonObject } from "../json.ts";
import { setValues } from "./set-values.ts";
import { ValuesError } from "./values-error.ts";

/**
 * Values with a watch's `overrideValues` over them, one after the other, each as `helm --set PATH=VALUE` would do it
 * (`setValues`): a comma in a value begins another assignment, unless a backslash stands before it. The environment has been
 * expanded by then. What came in is not changed.
 *
 * @throws ValuesError that names the override
 */
export function overrideValues(values: JsonObject, overrides: Readonly<Record<string, string>>): JsonObject {
  return Object.entries(overrides).reduce((result, [path, value]) => {
    try {
      return setValues(result, `${path}=${value}`);
    } catch (error) {
      if (!(error instanceof ValuesError)) throw error;
      // The value stays unsaid: it may come from a variable that holds a secret.
      throw new ValuesError(`overrideValues ${JSON.stringify(path)}: ${error.message}`);
    }
  }, values);
}
