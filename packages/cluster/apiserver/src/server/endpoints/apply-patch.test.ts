import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonPatchError, jsonPatch } from "../../apimachinery/patch/json-patch.ts";
import { mergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { strategicMergePatch } from "../../apimachinery/patch/strategic-merge-patch.ts";
import { createSchemaResolver, type RawSchema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";

const key = fc.constantFrom("a", "b", "c", "__proto__", "a/b", "~");
const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(1, 0, "", "x", true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
}));

const escapeStep = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

describe("mergePatch", () => {
  test("returns a document that patches an empty one", () => {
    fc.assert(
      fc.property(json.object, (document) => {
        expect(mergePatch({}, document)).toEqual(document);
      }),
    );
  });

  test("changes nothing the second time, and never its arguments", () => {
    fc.assert(
      fc.property(json.object, json.object, (document, patch) => {
        const before = JSON.stringify([document, patch]);
        const once = mergePatch(document, patch);
        expect(mergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([document, patch])).toBe(before);
      }),
    );
  });

  test("removes the members that are null, and no others", () => {
    fc.assert(
      fc.property(json.object, key, (document, name) => {
        const patch = JSON.parse(`{${JSON.stringify(name)}:null}`);
        const result = mergePatch(document, patch);
        expect(Object.keys(result)).toEqual(Object.keys(document).filter((other) => other !== name));
      }),
    );
  });
});

describe("jsonPatch", () => {
  test("tests what it has added, and removes it completely", () => {
    fc.assert(
      fc.property(json.object, key, json.value, (document, name, value) => {
        const path = `/${escapeStep(name)}`;
        const added = jsonPatch(document, [
          { op: "add", path, value },
          { op: "test", path, value },
        ]);
        expect(Object.hasOwn(added, name)).toBe(true);
        const removed = jsonPatch(added, [{ op: "remove", path }]);
        const { [name]: _old, ...rest } = document;
        expect(removed).toEqual(rest);
      }),
    );
  });

  test("does not change the document when an operation fails", () => {
    const document = { a: { b: [1, 2] } };
    const operations = [
      { op: "remove", path: "/a/b/0" },
      { op: "test", path: "/a/b/0", value: 1 },
    ];
    expect(() => jsonPatch(document, operations)).toThrow(JsonPatchError);
    expect(document).toEqual({ a: { b: [1, 2] } });
  });

  test("limits the copies to 3 MiB in total", () => {
    const mebibyte = "x".repeat(1024 * 1024 - 2);
    const copies = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ op: "copy", from: "/a", path: `/copy${i}` }));
    expect(Object.keys(jsonPatch({ a: mebibyte }, copies(3)))).toHaveLength(4);
    expect(() => jsonPatch({ a: mebibyte }, copies(4))).toThrow(
      "Unable to complete the copy, the accumulated size increase of copy is 4194304, exceeding the limit 3145728",
    );
  });

  test("rejects repeated copies of a document into itself", () => {
    const operations = Array.from({ length: 40 }, (_, i) => ({ op: "copy", from: "/a", path: `/a/x${i}` }));
    expect(() => jsonPatch({ a: { b: "c" } }, operations)).toThrow("exceeding the limit 3145728");
  });

  test("cannot reach the prototype", () => {
    const patched = jsonPatch({}, [
      { op: "add", path: "/__proto__", value: {} },
      { op: "add", path: "/__proto__/polluted", value: true },
    ]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(() => jsonPatch({}, [{ op: "add", path: "/constructor/prototype/x", value: 1 }])).toThrow(
      JsonPatchError,
    );
  });
});

const item: RawSchema = {
  type: "object",
  properties: { name: { type: "string" }, value: { type: "string" } },
};
const definition: RawSchema = {
  type: "object",
  properties: {
    list: {
      type: "array",
      items: item,
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
    },
    words: { type: "array", items: { type: "string" }, "x-kubernetes-patch-strategy": "merge" },
  },
};
const schema = createSchemaResolver(() => definition)("x");
if (schema === undefined) throw new Error("no schema");
const patchOf = (document: JsonObject, patch: JsonObject) => strategicMergePatch(document, patch, schema);

const elements = fc.uniqueArray(
  fc.record({ name: fc.constantFrom("a", "b", "c", "d"), value: fc.constantFrom("1", "2") }),
  { selector: ({ name }) => name },
);

describe("strategicMergePatch", () => {
  test("keeps keys unique, applies the patch's elements, and leaves the others unchanged", () => {
    fc.assert(
      fc.property(elements, elements, (live, changes) => {
        const { list } = patchOf({ list: live }, { list: changes }) as { list: { name: string }[] };
        const names = list.map(({ name }) => name);
        expect(new Set(names)).toEqual(new Set([...live, ...changes].map(({ name }) => name)));
        expect(names.length).toBe(new Set(names).size);
        for (const element of list) {
          const same = ({ name }: { name: string }) => name === element.name;
          expect(element).toEqual(changes.find(same) ?? live.find(same));
        }
      }),
    );
  });

  test("changes nothing the second time", () => {
    fc.assert(
      fc.property(elements, elements, elements, (live, changes, order) => {
        const patch = { list: changes, words: changes.map(({ name }) => name) };
        const once = patchOf({ list: live, words: order.map(({ name }) => name) }, patch);
        expect(patchOf(once, patch)).toEqual(once);
      }),
    );
  });

  test("orders elements by $setElementOrder", () => {
    fc.assert(
      fc.property(elements, (live) => {
        const order = [...live].reverse().map(({ name }) => ({ name }));
        const result = patchOf({ list: live }, { "$setElementOrder/list": order });
        expect(result.list ?? []).toEqual([...live].reverse());
      }),
    );
  });

  test("applies the directives of primitive lists", () => {
    const document = { words: ["a", "b", "c"] };
    expect(patchOf(document, { "$deleteFromPrimitiveList/words": ["b"], words: ["d"] })).toEqual({
      words: expect.arrayContaining(["a", "c", "d"]),
    });
    expect(patchOf(document, { "$setElementOrder/words": ["c", "x", "a"], words: ["x"] })).toEqual({
      words: ["b", "c", "x", "a"],
    });
  });

  test("treats __proto__ in a patch as data", () => {
    const result = patchOf({}, JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect((result as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
