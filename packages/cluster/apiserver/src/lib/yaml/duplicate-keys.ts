import { EVENT_ID, type Event, getScalarValue } from "js-yaml";

/** The most duplicates that are reported. A response has no space for more. */
const maximumReported = 1_000;

interface OpenMapping {
  /** Created with the first key, because most values of a large document have none. */
  keys: Set<string> | undefined;
  /** Whether the next event of this mapping is a key. */
  atKey: boolean;
}

/** Returns duplicate keys of mappings in the order of the text: `line 5: key "x" already set in map`. */
export function duplicateKeys(events: readonly Event[], source: string): string[] {
  const found: string[] = [];
  /** Undefined for a sequence or the document. */
  const open: (OpenMapping | undefined)[] = [];
  const lineOf = lineCounter(source);
  for (const event of events) {
    if (found.length === maximumReported) break;
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const around = open.at(-1);
    if (around !== undefined) {
      if (around.atKey && event.type === EVENT_ID.SCALAR) {
        const key = getScalarValue(source, event);
        around.keys ??= new Set();
        if (around.keys.has(key) && key !== "<<") {
          found.push(`line ${lineOf(event.valueStart)}: key ${JSON.stringify(key)} already set in map`);
        }
        around.keys.add(key);
      }
      around.atKey = !around.atKey;
    }
    if (event.type === EVENT_ID.MAPPING) open.push({ keys: undefined, atKey: true });
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) open.push(undefined);
  }
  return found;
}

/**
 * Returns a function from offset to line number. Offsets must increase, so that the text is read only once.
 */
function lineCounter(source: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = source.indexOf("\n", at); next >= 0 && next < offset; next = source.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
