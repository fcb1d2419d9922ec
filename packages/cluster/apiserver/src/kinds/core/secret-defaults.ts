import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { setDefault } from "../set-default.ts";

/** core/v1 Secret: the type, and what was given as text goes among what was given as bytes. */
export function defaultSecret(secret: JsonObject): void {
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
