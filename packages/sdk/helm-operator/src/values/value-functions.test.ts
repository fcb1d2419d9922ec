import { expect, it } from "vitest";
import { specValues } from "./value-functions.ts";

const nginx = (spec?: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Nginx",
  metadata: { name: "a" },
  spec,
});

it("returns a copy of the spec", () => {
  const resource = nginx({ image: { tag: "1.27" } });
  const values = specValues(resource);
  expect(values).toEqual({ image: { tag: "1.27" } });
  (values.image as { tag: string }).tag = "changed";
  expect(resource.spec).toEqual({ image: { tag: "1.27" } });
});

it("returns no values for an object without a spec", () => {
  expect(specValues({ apiVersion: "example.com/v1", kind: "Nginx" })).toEqual({});
  expect(specValues(nginx(null))).toEqual({});
});

it("names the object whose spec is not a table", () => {
  expect(() => specValues(nginx(["a"]))).toThrow('Nginx a: spec is ["a"], but values must be a table');
  expect(() => specValues(nginx("text"))).toThrow("Nginx a");
});
