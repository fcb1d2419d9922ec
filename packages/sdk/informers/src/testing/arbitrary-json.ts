import fc from "fast-check";

/** An object as it is written: the order of its members is part of it. */
export type Members = [name: string, value: Written][];
export type Written = { text: string } | { members: Members } | { items: Written[] };

/** Strings that look like what is around them, on both sides of where searches replace loops, and all of Unicode. */
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

/** Any value, its strings written with more escapes than are needed. */
export const arbitraryValue: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }).map((items) => ({ items })),
    membersOf(tie("value")).map((members) => ({ members })),
  ),
})).value;

/**
 * Members with names other than those. Nor is one of them a lone backslash: where it has just read such a name, the JSON.parse of
 * Node 26 (V8 14.6) takes "\\t" and the like for it, and is no measure of what a text says.
 */
export function membersOf(value: fc.Arbitrary<Written>, ...except: string[]): fc.Arbitrary<Members> {
  const name = arbitraryString.filter((text) => text !== "\\" && !except.includes(text));
  return fc.uniqueArray(fc.tuple(name, value), { selector: ([own]) => own, maxLength: 5 });
}

/** Some of the members given, in any order. */
export function someOf(members: Record<string, fc.Arbitrary<Written>>): fc.Arbitrary<Members> {
  const maybe = Object.entries(members).map(([name, value]) =>
    fc.option(value.map((written): Members[number] => [name, written])),
  );
  return fc.tuple(...maybe).map((all) => all.filter((member) => member !== null));
}

export const shuffled = (members: fc.Arbitrary<Members>): fc.Arbitrary<Members> =>
  members.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/** The text of a value, with white space and escapes where `odd` says so; 0 is as JSON.stringify writes it. */
export function write(value: Written, odd: number): string {
  let state = odd;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const space = () =>
    odd !== 0 && random() < 0.2 ? ([" ", "\n", "\t\r ", "  "][Math.floor(random() * 4)] ?? "") : "";
  const unicode = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // A character that is not escaped already. Of what is no string, nothing is.
  const string = (json: string) =>
    odd === 0 || !json.startsWith('"')
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
