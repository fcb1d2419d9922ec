import { expect, it } from "vitest";
import { specValues } from "./value-functions.ts";

const nginx = (spec?: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Nginx",
  metadata: { name: "a" },
  spec,
});

it("takes a copy of the spec", () => {
  const resource = nginx({ image: { tag: "1.27" } });
  const values = specValues(resource);
  expect(values).toEqual({ image: { tag: "1.27" } });
  (values.image as { tag: string }).tag = "changed";
  expect(resource.spec).toEqual({ image: { tag: "1.27" } });
});

it("has no values of an object without a spec", () => {
  expect(specValues({ apiVersion: "example.com/v1", kind: "Nginx" })).toEqual({});
  expect(specValues(nginx(null))).toEqual({});
});

it("says which object's spec is no table", () => {
  expect(() => specValues(nginx(["a"]))).toThrow('Nginx a: spec is ["a"], and values are a table');
  expect(() => specValues(nginx("text"))).toThrow("Nginx a");
});
