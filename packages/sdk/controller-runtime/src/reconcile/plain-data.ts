/** Deeper than any request. Turns a cyclic value into an error instead of an endless loop. */
const deepest = 16;

/**
 * Returns the JSON of data, with sorted keys and without undefined fields. Equal data has equal text.
 *
 * @throws TypeError naming a value that is not plain data: a function, a Date, NaN
 */
export function textOfData(data: unknown): string {
  return textOf(data, "the request", deepest);
}

/** Freezes the result, so that changing a request throws. Otherwise a retry would use the changed request. */
export function parseData(text: string): unknown {
  return JSON.parse(text, (_, value) => Object.freeze(value));
}

function textOf(value: unknown, where: string, depth: number): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object" || depth === 0) throw noData(value, where);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => textOf(item, `${where}[${index}]`, depth - 1)).join(",")}]`;
  }
  if (!isPlain(value)) throw noData(value, where);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${textOf(field, `${where}.${name}`, depth - 1)}`);
  return `{${fields.join(",")}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function noData(value: unknown, where: string): TypeError {
  const what =
    typeof value === "object"
      ? isPlain(value as object)
        ? "nested too deep"
        : `a ${(value as object).constructor?.name}`
      : typeof value === "number"
        ? String(value)
        : typeof value === "undefined"
          ? "undefined"
          : `a ${typeof value}`;
  return new TypeError(
    `${where} is ${what}: use plain JSON data (strings, finite numbers, booleans, null, arrays, objects)`,
  );
}
