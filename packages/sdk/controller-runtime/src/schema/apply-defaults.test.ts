import { expect, test } from "vitest";
import { createDefaulter } from "./apply-defaults.ts";
import type { ResourceSchema } from "./schema.ts";

const schema: ResourceSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", default: 3 },
        limits: { type: "object", default: {}, properties: { most: { type: "integer", default: 10 } } },
        missing: { type: "object", properties: { below: { type: "integer", default: 1 } } },
        ports: {
          type: "array",
          items: { type: "object", properties: { protocol: { type: "string", default: "TCP" } } },
        },
        byName: {
          type: "object",
          additionalProperties: { type: "object", properties: { on: { type: "boolean", default: true } } },
        },
        nothing: { type: "string", default: "something" },
        nullable: { type: "string", nullable: true, default: "something" },
      },
    },
  },
};

test("fills in missing fields at any depth, keeps present ones, and creates no parents for defaults", () => {
  const setDefaults = createDefaulter<{ spec?: object }>(schema);
  const object = {
    spec: {
      size: 0,
      ports: [{}, { protocol: "UDP" }],
      byName: { a: {}, b: { on: false } },
      nothing: null,
      nullable: null,
    },
  };
  expect(setDefaults(object)).toBe(object);
  expect(object.spec).toEqual({
    size: 0,
    limits: { most: 10 },
    ports: [{ protocol: "TCP" }, { protocol: "UDP" }],
    byName: { a: { on: true }, b: { on: false } },
    nothing: "something",
    nullable: null,
  });
  expect(setDefaults({})).toEqual({});
});

test("objects do not share defaults", () => {
  const setDefaults = createDefaulter<{ spec: { limits?: { most?: number } } }>(schema);
  const first = setDefaults({ spec: {} });
  if (first.spec.limits !== undefined) first.spec.limits.most = 99;
  expect(setDefaults({ spec: {} }).spec.limits).toEqual({ most: 10 });
});
