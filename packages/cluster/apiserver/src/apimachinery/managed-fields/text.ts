import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";

const texts = new WeakMap<object, string>();

/** metadata.managedFields as JSON. Which fields an entry has is shared between many objects, and written once. */
export function managedFieldsText(list: readonly JsonValue[]): string {
  return `[${list.map(entryText).join(",")}]`;
}

function entryText(entry: JsonValue): string {
  if (!isJsonObject(entry)) return JSON.stringify(entry);
  const { fieldsV1, ...rest } = entry;
  const head = JSON.stringify(rest);
  if (!isJsonObject(fieldsV1) || head === "{}") return JSON.stringify(entry);
  let text = texts.get(fieldsV1);
  if (text === undefined) {
    text = JSON.stringify(fieldsV1);
    if (Object.isFrozen(fieldsV1)) texts.set(fieldsV1, text);
  }
  return `${head.slice(0, -1)},"fieldsV1":${text}}`;
}
