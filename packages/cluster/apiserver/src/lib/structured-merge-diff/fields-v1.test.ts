import { describe, expect, test } from "vitest";
import { isEmptySet } from "./field-set.ts";
import { decodeFieldSet, encodeFieldSet } from "./fields-v1.ts";
import { PathElementError, parsePathElement, printPath } from "./path-element.ts";

describe("FieldsV1", () => {
  test("has the order of a real server: fields, keys, values, each sorted by content", () => {
    const given = {
      'v:"b"': {},
      "v:10": {},
      "v:9": {},
      'v:"a"': {},
      'k:{"protocol":"UDP","port":80}': { ".": {}, "f:port": {} },
      'k:{"port":9,"protocol":"TCP"}': {},
      'k:{"port":80,"protocol":"TCP"}': {},
      "i:10": {},
      "i:9": {},
      "f:b": { "f:c": {}, ".": {} },
      "f:a": {},
    };
    const canonical = encodeFieldSet(decodeFieldSet(given));
    expect(JSON.stringify(canonical)).toBe(
      JSON.stringify({
        "f:a": {},
        "f:b": { ".": {}, "f:c": {} },
        'k:{"port":9,"protocol":"TCP"}': {},
        'k:{"port":80,"protocol":"TCP"}': {},
        'k:{"port":80,"protocol":"UDP"}': { ".": {}, "f:port": {} },
        "v:9": {},
        "v:10": {},
        'v:"a"': {},
        'v:"b"': {},
        "i:9": {},
        "i:10": {},
      }),
    );
  });

  test("marks a member that contains others with a dot", () => {
    const set = decodeFieldSet({ "f:a": { "f:b": {} }, "f:c": { ".": {}, "f:d": {} } });
    expect(encodeFieldSet(set)).toEqual({ "f:a": { "f:b": {} }, "f:c": { ".": {}, "f:d": {} } });
    expect(encodeFieldSet(decodeFieldSet({ "f:a": { ".": {} } }))).toEqual({ "f:a": {} });
    expect(isEmptySet(decodeFieldSet({}))).toBe(true);
  });

  test("ignores unknown kinds of path elements, and rejects invalid ones", () => {
    expect(encodeFieldSet(decodeFieldSet({ "q:later": {}, "f:a": {} }))).toEqual({ "f:a": {} });
    for (const step of ["x", "fa", "k:[]", "k:nonsense", "v:", "i:x"]) {
      expect(() => parsePathElement(step), step).toThrow(PathElementError);
    }
  });

  test("escapes HTML characters in values, like Go", () => {
    expect(parsePathElement('v:"<&>"')).toBe('v:"\\u003c\\u0026\\u003e"');
  });
});

test("prints paths as messages show them", () => {
  const path = ["f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:name"];
  expect(printPath(path)).toBe('.spec.ports[port=80,protocol="TCP"].name');
  expect(printPath(["f:finalizers", 'v:"a.b/c"', "i:3"])).toBe('.finalizers[="a.b/c"][3]');
});
