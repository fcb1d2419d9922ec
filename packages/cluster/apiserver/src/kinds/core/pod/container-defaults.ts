import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";
import { objectsOf, setDefault } from "../../set-default.ts";

/** core/v1 Container and EphemeralContainer (SetDefaults_Container, _Probe, _HTTPGetAction). */
export function defaultContainer(container: JsonObject): void {
  setDefault(container, "imagePullPolicy", pullPolicyFor(container.image));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  for (const port of objectsOf(container.ports)) setDefault(port, "protocol", "TCP");
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[name];
    if (isJsonObject(probe)) defaultProbe(probe);
  }
  if (isJsonObject(container.lifecycle)) {
    for (const name of ["postStart", "preStop"]) {
      const handler = container.lifecycle[name];
      if (isJsonObject(handler)) defaultHandler(handler);
    }
  }
  for (const variable of objectsOf(container.env)) {
    if (variable.value === "") delete variable.value;
    const source = variable.valueFrom;
    if (isJsonObject(source) && isJsonObject(source.fieldRef)) {
      setDefault(source.fieldRef, "apiVersion", "v1");
    }
  }
}

function defaultProbe(probe: JsonObject): void {
  const defaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  for (const [key, value] of Object.entries(defaults)) {
    if (probe[key] === undefined || probe[key] === 0) probe[key] = value;
  }
  defaultHandler(probe);
}

function defaultHandler(handler: JsonObject): void {
  if (isJsonObject(handler.httpGet)) {
    setDefault(handler.httpGet, "path", "/");
    setDefault(handler.httpGet, "scheme", "HTTP");
  }
  if (isJsonObject(handler.grpc) && handler.grpc.service === undefined) handler.grpc.service = "";
}

/** An image without a tag, or with `latest`, is pulled each time; a digest is exact, and needs no tag. */
export function pullPolicyFor(image: JsonValue | undefined): "Always" | "IfNotPresent" {
  const reference = typeof image === "string" ? image : "";
  if (reference.includes("@")) return "IfNotPresent";
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  // What cannot be parsed has no tag (and fails elsewhere).
  const parsed = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/.test(name.split(":")[0] ?? "");
  return parsed && tag === "latest" ? "Always" : "IfNotPresent";
}
