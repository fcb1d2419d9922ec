import { isDeepStrictEqual } from "node:util";
import { age } from "../../apimachinery/duration.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import type { FieldReader } from "../../apimachinery/selectors/fields.ts";
import { invalid, required } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { field, readField } from "../../server/registry/selectable-fields.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { definePrinter, type Named, nameOf, type PrintContext } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { createNewerEventView, eventInVersion } from "./event-view.ts";

/** Validates a core/v1 Event. One with an eventTime belongs to the newer API, which requires more fields. */
function validateEvent(event: ApiObject): StatusCause[] {
  return validateFields(event, "reportingComponent");
}

/** @param controller what messages call the field reportingComponent */
function validateFields(event: ApiObject, controller: string): StatusCause[] {
  const involved = text(object(event.involvedObject).namespace);
  const { namespace = "" } = event.metadata;
  const isNewer = Boolean(event.eventTime);
  // Events about an object without a namespace belong into the namespace `default`.
  const matches =
    involved === ""
      ? namespace === "default" || (isNewer && namespace === "kube-system")
      : isNewer || involved === namespace;
  const causes = matches
    ? []
    : [invalid("involvedObject.namespace", involved, "does not match event.namespace")];
  if (!isNewer) return causes;
  const component = text(event.reportingComponent);
  if (component === "") causes.push(required(controller));
  causes.push(...isQualifiedName(component).map((error) => invalid(controller, component, error)));
  for (const key of ["reportingInstance", "action", "reason"]) {
    if (text(event[key]) === "") causes.push(required(key));
    causes.push(...atMost(128, event, key));
  }
  return [...causes, ...atMost(1024, event, "message")];
}

function atMost(maximum: number, event: ApiObject, key: string): StatusCause[] {
  if (Buffer.byteLength(text(event[key])) <= maximum) return [];
  return [invalid(key, "", `can have at most ${maximum} characters`)];
}

/** Validates an events.k8s.io/v1 Event. Messages name the fields of core/v1. */
function validateNewerEvent(event: ApiObject, old?: ApiObject): StatusCause[] {
  const core = eventInVersion(event, "v1");
  const causes = validateFields(core, "reportingController");
  if (old !== undefined) return [...causes, ...validateNewerChange(core, eventInVersion(old, "v1"))];
  causes.push(...validateSeries(core));
  if (!core.eventTime) causes.push(required("eventTime"));
  const type = text(core.type);
  if (type !== "Normal" && type !== "Warning") causes.push(invalid("type", "", `has invalid value: ${type}`));
  const { component, host } = object(core.source);
  const { firstTimestamp, lastTimestamp, count } = core;
  for (const [key, value] of Object.entries({
    firstTimestamp,
    lastTimestamp,
    count,
    source: component || host,
  })) {
    if (value) causes.push(invalid(key, "", "needs to be unset"));
  }
  return causes;
}

const immutableFields: Readonly<Record<string, string>> = {
  involvedObject: "involvedObject",
  reason: "reason",
  message: "message",
  source: "source",
  firstTimestamp: "firstTimestamp",
  lastTimestamp: "lastTimestamp",
  count: "count",
  type: "type",
  eventTime: "eventTime",
  action: "action",
  related: "related",
  reportingComponent: "reportingController",
  reportingInstance: "reportingInstance",
};

/** Validates that only the series of an Event has changed. */
function validateNewerChange(event: ApiObject, old: ApiObject): StatusCause[] {
  const causes = isDeepStrictEqual(event.series, old.series) ? [] : validateSeries(event);
  for (const [key, shown] of Object.entries(immutableFields)) {
    const [value, before] = [event[key] ?? null, old[key] ?? null];
    if (!isDeepStrictEqual(value, before)) causes.push(invalid(shown, value, "field is immutable"));
  }
  return causes;
}

function validateSeries({ series }: ApiObject): StatusCause[] {
  if (!isJsonObject(series)) return [];
  return [
    ...(Number(series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(series.lastObservedTime ? [] : [required("series.lastObservedTime")]),
  ];
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
  validate: validateNewerEvent,
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
