import type { JsonObject } from "../json.ts";
import { setValues } from "./set-values.ts";
import { ValuesError } from "./values-error.ts";

/**
 * Returns values with a watch's `overrideValues` over them, applied one after the other, each as `helm --set
 * PATH=VALUE` does it (`setValues`). A comma in a value begins another assignment, unless a backslash
 * precedes it. Does not expand environment variables, and does not change its arguments.
 *
 * @throws ValuesError naming the override
 */
export function overrideValues(values: JsonObject, overrides: Readonly<Record<string, string>>): JsonObject {
  return Object.entries(overrides).reduce((result, [path, value]) => {
    try {
      return setValues(result, `${path}=${value}`);
    } catch (error) {
      if (!(error instanceof ValuesError)) throw error;
      // Leave the value out of the message: it may come from a variable that holds a secret.
      throw new ValuesError(`overrideValues ${JSON.stringify(path)}: ${error.message}`);
    }
  }, values);
}
