import { ApiError } from "@operator-path/client";
import { isPanic } from "../../controller/error-kinds.ts";
import { messageOf } from "../../log/error-fields.ts";
import { type AdmissionResponse, denied, refused } from "./response.ts";

/**
 * What becomes of an error that a defaulter or validator throws: the Status that it carries, or its message as a denial.
 * A mistake of the program (a field of undefined) is none: it is thrown on.
 */
export function refusalOf(error: unknown): AdmissionResponse {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof ApiError) return refused(at);
  }
  if (isPanic(error)) throw error;
  const why = error as Error;
  return denied(why instanceof AggregateError ? messageOf(why) : why.message);
}
