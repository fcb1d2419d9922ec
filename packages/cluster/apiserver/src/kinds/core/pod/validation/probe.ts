import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { forbidden, invalid, required } from "../../../../apimachinery/validation/cause.ts";
import {
  nonNegative,
  oneOf,
  portNumber,
  portNumberOrName,
} from "../../../../apimachinery/validation/rules.ts";
import { isJsonObject, type JsonObject } from "../../../../lib/json/json.ts";
import { object, text, texts } from "../../../../lib/json/read.ts";

/** Validates a core/v1 Probe. */
export function validateProbe(
  probe: JsonObject,
  path: string,
  kind: "livenessProbe" | "readinessProbe" | "startupProbe",
): StatusCause[] {
  const causes = [
    ...validateHandler(probe, path),
    ...nonNegative(
      probe,
      path,
      "initialDelaySeconds",
      "timeoutSeconds",
      "periodSeconds",
      "successThreshold",
      "failureThreshold",
    ),
  ];
  const { terminationGracePeriodSeconds: grace, successThreshold } = probe;
  if (typeof grace === "number" && grace <= 0) {
    causes.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, "must be greater than 0"));
  }
  if (kind === "readinessProbe") {
    if (grace !== undefined) {
      causes.push(
        invalid(`${path}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes"),
      );
    }
  } else if (successThreshold !== 1) {
    causes.push(invalid(`${path}.successThreshold`, successThreshold, "must be 1"));
  }
  return causes;
}

/** Validates the action of a probe or hook: exactly one of several. */
function validateHandler(handler: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  let handlers = 0;
  for (const kind of ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const) {
    const value = handler[kind];
    if (!isJsonObject(value)) continue;
    handlers++;
    if (handlers > 1) causes.push(forbidden(`${path}.${kind}`, "may not specify more than 1 handler type"));
    else causes.push(...validateAction(kind, value, `${path}.${kind}`));
  }
  if (handlers === 0) causes.push(required(path, "must specify a handler type"));
  return causes;
}

function validateAction(kind: string, action: JsonObject, path: string): StatusCause[] {
  switch (kind) {
    case "exec":
      return texts(action.command).length === 0 ? [required(`${path}.command`)] : [];
    case "httpGet":
      return [
        ...(text(action.path) === "" ? [required(`${path}.path`)] : []),
        ...portNumberOrName(action.port, `${path}.port`),
        ...oneOf(action.scheme, `${path}.scheme`, ["HTTP", "HTTPS"]),
      ];
    case "tcpSocket":
      return portNumberOrName(action.port, `${path}.port`);
    case "grpc":
      return portNumber(action.port, `${path}.port`);
    default:
      return [];
  }
}

/** Validates a core/v1 Lifecycle. */
export function validateLifecycle(lifecycle: JsonObject, path: string): StatusCause[] {
  return ["postStart", "preStop"].flatMap((hook) =>
    isJsonObject(lifecycle[hook]) ? validateHandler(object(lifecycle[hook]), `${path}.${hook}`) : [],
  );
}
