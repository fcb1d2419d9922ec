import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../../set-default.ts";
import { defaultPodSpec } from "./pod-spec-defaults.ts";

/** core/v1 Pod: what holds for a Pod and not for a template (SetDefaults_Pod). */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, "spec");
  for (const list of ["initContainers", "containers"]) {
    for (const container of objectsOf(spec[list])) requestWhatIsLimited(container);
  }
  setDefault(spec, "enableServiceLinks", true);
  defaultPodSpec(spec);
}

/** A container that says what it may use, and not what it needs, needs that much. */
function requestWhatIsLimited(container: JsonObject): void {
  const { resources } = container;
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return;
  resources.requests = {
    ...resources.limits,
    ...(isJsonObject(resources.requests) ? resources.requests : {}),
  };
}
