import { ApiError } from "@operator-path/client";
import { isPanic } from "../../controller/error-kinds.ts";
import { messageOf } from "../../log/error-fields.ts";
import { type AdmissionResponse, denied, refused } from "./response.ts";

/**
 * Turns an error of a defaulter or validator into a response: the Status that it carries, or a denial with
 * its message. Rethrows programming errors (a field of undefined).
 */
export function refusalOf(error: unknown): AdmissionResponse {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof ApiError) return refused(at);
  }
  if (isPanic(error)) throw error;
  const why = error as Error;
  return denied(why instanceof AggregateError ? messageOf(why) : why.message);
}
