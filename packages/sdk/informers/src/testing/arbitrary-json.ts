import fc from "fast-check";

/** An object as text; the order of its members is significant. */
export type Members = [name: string, value: Written][];
export type Written = { text: string } | { members: Members } | { items: Written[] };

/**
 * Strings that look like JSON syntax, strings around the length where searches replace loops, and all of
 * Unicode.
 */
export const arbitraryString: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...'{}[]":,\\/ \n\tabn') }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme" }) },
  fc.string({ unit: fc.constantFrom("x", "\\", '"', "]"), minLength: 80, maxLength: 300 }),
  fc
    .tuple(fc.nat(200), fc.constantFrom('"', '\\"', "\\\\", '}],"x', "é"))
    .map(([n, end]) => "y".repeat(n) + end),
  fc.constantFrom("metadata", "managedFields", "name", "uid", '},"metadata":{', '}],"name":"', "__proto__"),
);

const scalar: fc.Arbitrary<Written> = fc
  .oneof(
    arbitraryString,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  .map((value) => ({ text: JSON.stringify(value) }));

/** Any value. Its strings may contain more escapes than necessary. */
export const arbitraryValue: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }).map((items) => ({ items })),
    membersOf(tie("value")).map((members) => ({ members })),
  ),
})).value;

/**
 * Members whose names are not in `except`. No name is a single backslash: after such a name, the JSON.parse
 * of Node 26 (V8 14.6) misreads "\\t" and the like, so it is no reference for what a text means.
 */
export function membersOf(value: fc.Arbitrary<Written>, ...except: string[]): fc.Arbitrary<Members> {
  const name = arbitraryString.filter((text) => text !== "\\" && !except.includes(text));
  return fc.uniqueArray(fc.tuple(name, value), { selector: ([own]) => own, maxLength: 5 });
}

/** Some of the given members, in any order. */
export function someOf(members: Record<string, fc.Arbitrary<Written>>): fc.Arbitrary<Members> {
  const maybe = Object.entries(members).map(([name, value]) =>
    fc.option(value.map((written): Members[number] => [name, written])),
  );
  return fc.tuple(...maybe).map((all) => all.filter((member) => member !== null));
}

export const shuffled = (members: fc.Arbitrary<Members>): fc.Arbitrary<Members> =>
  members.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/**
 * Returns the text of a value. `formatting` is a seed for extra white space and escapes; 0 writes like
 * JSON.stringify.
 */
export function write(value: Written, formatting: number): string {
  let state = formatting;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const space = () =>
    formatting !== 0 && random() < 0.2 ? ([" ", "\n", "\t\r ", "  "][Math.floor(random() * 4)] ?? "") : "";
  const unicode = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // Only a character that is not escaped already, and only in a string.
  const string = (json: string) =>
    formatting === 0 || !json.startsWith('"')
      ? json
      : json.replaceAll(/(\\u....|\\.)|[a-zA-Z{}[\]:,]/g, (char, escaped) =>
          escaped === undefined && random() < 0.1 ? unicode(char) : char,
        );
  const join = (parts: string[]) => parts.map((part) => `${space()}${part}${space()}`).join(",") || space();
  const any = (each: Written): string => {
    if ("text" in each) return string(each.text);
    if ("items" in each) return `[${join(each.items.map(any))}]`;
    const member = ([name, own]: Members[number]) =>
      `${string(JSON.stringify(name))}${space()}:${space()}${any(own)}`;
    return `{${join(each.members.map(member))}}`;
  };
  return space() + any(value) + space();
}
