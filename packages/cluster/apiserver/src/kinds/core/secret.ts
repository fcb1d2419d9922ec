import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, required, tooLong } from "../../apimachinery/validation/cause.ts";
import { isConfigMapKey } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { parseJson } from "../../lib/json/parse-json.ts";
import { labels, text } from "../../lib/json/read.ts";
import { field } from "../../server/registry/selectable-fields.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { setDefault } from "../set-default.ts";
import { maximumSize, validateImmutable } from "./config-map.ts";

/** Sets the type of a core/v1 Secret, and moves stringData into data. */
function defaultSecret(secret: JsonObject): void {
  setDefault(secret, "type", "Opaque");
  const { stringData } = secret;
  if (!isJsonObject(stringData)) return;
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(String(text)).toString("base64")] as const,
  );
  secret.data = Object.fromEntries([
    ...Object.entries(isJsonObject(secret.data) ? secret.data : {}),
    ...encoded,
  ]);
  delete secret.stringData;
}

/** Keys that a Secret must have, by type. */
const requiredKeys: Record<string, string[]> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

/** Validates a core/v1 Secret. */
function validateSecret(secret: ApiObject, old?: ApiObject): StatusCause[] {
  const data = labels(secret.data);
  const causes: StatusCause[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    causes.push(...isConfigMapKey(key).map((error) => invalid(`data[${key}]`, key, error)));
    size += Buffer.byteLength(value, "base64");
  }
  if (size > maximumSize) causes.push(tooLong("data", maximumSize));
  if (old !== undefined && secret.type !== old.type) {
    causes.push(invalid("type", secret.type, "field is immutable"));
  }
  return [...causes, ...validateSecretType(secret, data), ...validateImmutable(secret, old, ["data"])];
}

function validateSecretType(secret: ApiObject, data: Record<string, string>): StatusCause[] {
  const type = text(secret.type);
  const has = (key: string) => Object.hasOwn(data, key);
  if (type === "kubernetes.io/service-account-token") {
    const account = "kubernetes.io/service-account.name";
    return secret.metadata.annotations?.[account] ? [] : [required(`metadata.annotations[${account}]`)];
  }
  if (type === "kubernetes.io/basic-auth") {
    return has("username") || has("password") ? [] : [required("data[username]"), required("data[password]")];
  }
  return (requiredKeys[type] ?? []).flatMap((key) => {
    if (!has(key)) return [required(`data[${key}]`)];
    return key.startsWith(".docker") ? validateDocument(key, data[key] ?? "") : [];
  });
}

function validateDocument(key: string, encoded: string): StatusCause[] {
  // The contents never appear in a message, because messages go into logs.
  const hidden = "<secret contents redacted>";
  try {
    const { value } = parseJson(Buffer.from(encoded, "base64").toString("utf8"));
    if (isJsonObject(value)) return [];
    return [invalid(`data[${key}]`, hidden, "json: the value is no object")];
  } catch (error) {
    return [invalid(`data[${key}]`, hidden, error instanceof Error ? error.message : String(error))];
  }
}

interface Secret extends Named {
  type?: string;
  data?: Record<string, string>;
}

const secretPrinter = definePrinter<Secret>((object, context) => [
  nameOf(object),
  object.type ?? "",
  Object.keys(object.data ?? {}).length,
  ageOf(object, context),
]);

/** core/v1 Secret. */
export const secretKind: BuiltInKind = {
  setDefaults: defaultSecret,
  validate: validateSecret,
  printer: secretPrinter,
  fieldLabels: new Map([field("type")]),
};
