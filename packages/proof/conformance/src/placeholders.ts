import { isMap, type Json } from "./script.ts";

/** The values of placeholders: `ns`, and the bodies of answers by the id of their step. */
export type Bindings = ReadonlyMap<string, Json>;

/** Replaces each `{{…}}` in a text. Throws if it names nothing. */
export function fillText(text: string, bindings: Bindings): string {
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (_whole, path: string) => {
    const value = lookUp(path, bindings);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** Replaces placeholders everywhere in a value. A string that is one placeholder takes the type of its value. */
export function fill(value: Json, bindings: Bindings): Json {
  if (typeof value === "string") {
    const whole = /^\{\{([^{}]+)\}\}$/.exec(value)?.[1];
    return whole === undefined ? fillText(value, bindings) : lookUp(whole, bindings);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, bindings));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[fillText(key, bindings), fill(member, bindings)]],
    ),
  );
}

function lookUp(path: string, bindings: Bindings): Json {
  const [id = "", ...members] = path.split(".");
  let value = bindings.get(id);
  for (const member of members) {
    if (Array.isArray(value)) value = value[Number(member)];
    else value = isMap(value) ? value[member] : undefined;
  }
  if (value === undefined) throw new Error(`{{${path}}} names no part of an earlier answer`);
  return value;
}
