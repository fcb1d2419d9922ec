import { describe, expect, test } from "vitest";
import { isEmptySet } from "./field-set.ts";
import { decodeFieldSet, encodeFieldSet } from "./fields-v1.ts";
import { PathElementError, parsePathElement, printPath } from "./path-element.ts";

describe("FieldsV1", () => {
  test("stands in the order of a real server: fields, keys, values, each by what it holds", () => {
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

  test("says by a dot that what holds others is a member itself", () => {
    const set = decodeFieldSet({ "f:a": { "f:b": {} }, "f:c": { ".": {}, "f:d": {} } });
    expect(encodeFieldSet(set)).toEqual({ "f:a": { "f:b": {} }, "f:c": { ".": {}, "f:d": {} } });
    expect(encodeFieldSet(decodeFieldSet({ "f:a": { ".": {} } }))).toEqual({ "f:a": {} });
    expect(isEmptySet(decodeFieldSet({}))).toBe(true);
  });

  test("ignores kinds of steps that it does not know, and refuses what is none", () => {
    expect(encodeFieldSet(decodeFieldSet({ "q:later": {}, "f:a": {} }))).toEqual({ "f:a": {} });
    for (const step of ["x", "fa", "k:[]", "k:nonsense", "v:", "i:x"]) {
      expect(() => parsePathElement(step), step).toThrow(PathElementError);
    }
  });

  test("escapes in values what HTML knows, as Go does", () => {
    expect(parsePathElement('v:"<&>"')).toBe('v:"\\u003c\\u0026\\u003e"');
  });
});

test("paths are printed as messages show them", () => {
  const path = ["f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:name"];
  expect(printPath(path)).toBe('.spec.ports[port=80,protocol="TCP"].name');
  expect(printPath(["f:finalizers", 'v:"a.b/c"', "i:3"])).toBe('.finalizers[="a.b/c"][3]');
});
