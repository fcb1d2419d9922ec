import { age } from "../../apimachinery/duration.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import type { FieldReader } from "../../apimachinery/selectors/fields.ts";
import { invalid, required } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { field, readField } from "../../server/registry/selectable-fields.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { definePrinter, type Named, nameOf, type PrintContext } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { createNewerEventView, eventInVersion } from "./event-view.ts";

/** Validates a core/v1 Event. One with an eventTime belongs to the newer API, which requires more fields. */
function validateEvent(event: ApiObject, old?: ApiObject): StatusCause[] {
  const involved = text(object(event.involvedObject).namespace);
  const { namespace = "" } = event.metadata;
  const causes: StatusCause[] = [];
  // Events about an object without a namespace belong into the namespace `default`.
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

interface Target {
  kind?: string;
  name?: string;
  fieldPath?: string;
}

/** An Event in either version: core/v1 and events.k8s.io/v1 name some fields differently. */
interface Event extends Named {
  type?: string;
  reason?: string;
  involvedObject?: Target;
  regarding?: Target;
  message?: string;
  note?: string;
  source?: { component?: string; host?: string };
  deprecatedSource?: { component?: string; host?: string };
  reportingComponent?: string;
  reportingController?: string;
  reportingInstance?: string;
  firstTimestamp?: string | null;
  deprecatedFirstTimestamp?: string | null;
  lastTimestamp?: string | null;
  deprecatedLastTimestamp?: string | null;
  eventTime?: string | null;
  count?: number;
  deprecatedCount?: number;
  series?: { count?: number; lastObservedTime?: string };
}

const eventPrinter = definePrinter<Event>((event, context) => {
  const target = event.involvedObject ?? event.regarding ?? {};
  const kind = (target.kind ?? "").toLowerCase();
  const { first, last } = seen(event, context);
  return [
    last,
    event.type ?? "",
    event.reason ?? "",
    target.name ? `${kind}/${target.name}` : kind,
    target.fieldPath ?? "",
    formatSource(event),
    (event.message ?? event.note ?? "").trim(),
    first,
    // Events of the newer API that happened once have no count.
    event.series?.count ?? ((event.count ?? event.deprecatedCount) || 1),
    nameOf(event),
  ];
});

function seen(event: Event, { now }: PrintContext): { first: string; last: string } {
  const first = age(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime, now);
  if (event.series !== undefined) return { first, last: age(event.series.lastObservedTime, now) };
  const last = event.lastTimestamp ?? event.deprecatedLastTimestamp;
  return { first, last: last ? age(last, now) : first };
}

function formatSource(event: Event): string {
  const source = event.source ?? event.deprecatedSource;
  const component = source?.component || event.reportingComponent || event.reportingController || "";
  const host = source?.host || event.reportingInstance || "";
  return host === "" ? component : `${component}, ${host}`;
}

const strategy: Strategy = { createOnUpdate: true, withoutGarbageCollection: true };

const eventSource: FieldReader = (object) =>
  readField("source", "component")(object) || readField("reportingComponent")(object);

const objectFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** core/v1 Event: the version in which Events are stored. */
export const eventKind: BuiltInKind = {
  strategy,
  setDefaults(object) {
    // Not defaults: Go always writes these fields.
    for (const time of ["eventTime", "firstTimestamp", "lastTimestamp"]) object[time] ??= null;
    for (const name of ["reportingComponent", "reportingInstance"]) object[name] ??= "";
  },
  validate: validateEvent,
  printer: eventPrinter,
  fieldLabels: new Map([
    ...objectFields.map((member) => field(`involvedObject.${member}`)),
    field("reason"),
    ["reportingComponent", eventSource],
    ["source", eventSource],
    field("type"),
  ]),
  inVersion: eventInVersion,
};

/** events.k8s.io/v1 Event: another view of the same Events. */
export const newerEventKind: BuiltInKind = {
  strategy,
  printer: eventPrinter,
  // The newer names select on the older fields.
  fieldLabels: new Map([
    ...objectFields.map((member): [string, FieldReader] => [
      `regarding.${member}`,
      readField("involvedObject", member),
    ]),
    field("reason"),
    ["reportingController", eventSource],
    field("type"),
  ]),
  createView: createNewerEventView,
  inVersion: eventInVersion,
};
