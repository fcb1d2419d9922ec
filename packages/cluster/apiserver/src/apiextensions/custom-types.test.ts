import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compareVersions } from "../apimachinery/version.ts";

it("sorts versions as Kubernetes does", () => {
  const sorted = [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha2",
    "foo1",
    "foo10",
  ];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});

it("compares any two versions one way round", () => {
  const version = fc.oneof(fc.stringMatching(/^v[1-9]{1,2}((alpha|beta)[1-9])?$/), fc.string());
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
    }),
  );
});
