import { EVENT_ID, type Event, getScalarValue } from "js-yaml";

/** More are not reported: an answer has no room for them. */
const maximumReported = 1_000;

interface OpenMapping {
  /** Made with the first key: most values of a large document have none. */
  keys: Set<string> | undefined;
  /** The next event of this mapping is a key. */
  atKey: boolean;
}

/** Finds keys that stand more than once in a mapping: `line 5: key "x" already set in map`, in the order of the text. */
export function duplicateKeys(events: readonly Event[], source: string): string[] {
  const found: string[] = [];
  /** undefined: a sequence, or the document. */
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

/** Line numbers of offsets that grow: the text is walked once. */
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
