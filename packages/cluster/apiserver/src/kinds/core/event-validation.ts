import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, required } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";

/** core/v1 Event. One with an eventTime is of the newer kind, and must say more. */
export function validateEvent(event: ApiObject, old?: ApiObject): StatusCause[] {
  const involved = text(object(event.involvedObject).namespace);
  const { namespace = "" } = event.metadata;
  const causes: StatusCause[] = [];
  // What is said of an object without a namespace goes into the namespace default.
  const matches =
    involved === "" ? namespace === "default" || namespace === "kube-system" : involved === namespace;
  if (!matches) {
    causes.push(invalid("involvedObject.namespace", involved, "does not match event.namespace"));
  }
  if (old !== undefined || !event.eventTime) return causes;
  const controller = text(event.reportingComponent);
  if (controller === "") causes.push(required("reportingComponent"));
  causes.push(
    ...isQualifiedName(controller).map((error) => invalid("reportingComponent", controller, error)),
  );
  for (const key of ["reportingInstance", "action", "reason"]) {
    if (text(event[key]) === "") causes.push(required(key));
  }
  return causes;
}
