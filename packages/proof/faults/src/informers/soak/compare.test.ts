import { expect, test } from "vitest";
import { differences, digest, parseList } from "./compare.ts";

const object = (name: string, resourceVersion: string, value: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "soak", uid: `uid-of-${name}`, resourceVersion, managedFields: [{}] },
  data: { value, other: "é" },
});
const line = (each: ReturnType<typeof object>) =>
  `soak/${each.metadata.name} ${each.metadata.uid} ${each.metadata.resourceVersion} ${digest(each)}`;

test("compares versions and, if deep, every field but managedFields, in any order", () => {
  const expected = parseList([object("a", "5", "x"), object("b", "6", "y")].map(line).join("\n"));
  const { metadata, ...rest } = object("b", "6", "y");
  const { managedFields: _, ...named } = metadata;
  expect(expected.compare([object("a", "5", "x"), { metadata: named, ...rest }], true)).toEqual([]);
  expect(expected.compare([object("a", "5", "x"), object("b", "6", "z")], false)).toEqual([]);
  expect(expected.compare([object("a", "5", "x"), object("b", "6", "z")], true)).toEqual([
    "soak/b has other contents",
  ]);
});

test("names missing, old and extra objects", () => {
  const expected = parseList([object("a", "5", "x"), object("b", "6", "y")].map(line).join("\n"));
  expect(expected.compare([object("a", "4", "x"), object("c", "1", "y")], false)).toEqual([
    "soak/a is uid-of-a 4, not uid-of-a 5",
    "soak/b is missing, not uid-of-b 6",
    "soak/c is uid-of-c 1, but deleted",
  ]);
  expect(differences(parseList("").versions, new Map())).toEqual([]);
});
