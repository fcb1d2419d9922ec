import type { JsonObject } from "../../lib/json/json.ts";
import { ensureObject, setDefault } from "../set-default.ts";

/** core/v1 Namespace: carries its name as a label, so that selectors can name it. */
export function defaultNamespace(namespace: JsonObject): void {
  const metadata = ensureObject(namespace, "metadata");
  if (metadata.name) ensureObject(metadata, "labels")["kubernetes.io/metadata.name"] = metadata.name;
  setDefault(ensureObject(namespace, "status"), "phase", "Active");
}
