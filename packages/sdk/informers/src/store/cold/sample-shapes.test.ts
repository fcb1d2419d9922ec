import { expect, test } from "vitest";
import { shapesOf } from "./sample-shapes.ts";

const shapes = (objects: unknown[]) =>
  shapesOf(objects.map((object) => Buffer.from(JSON.stringify(object)))).map((shape) =>
    JSON.parse(`${shape}`),
  );

test("keeps member names and shared short values, but nothing of a single object", () => {
  const secret = (i: number) => ({
    kind: "Secret",
    type: "Opaque",
    metadata: { name: `s${i}`, namespace: "shop", generation: i === 1 ? 1 : 2 },
    data: { password: "c2FtZQ==", nested: { deep: ["same"] } },
    stringData: { token: "same", port: 5_432 },
    env: [{ name: "PASSWORD", value: "same" }],
    immutable: true,
    certificate: "x".repeat(100),
  });
  const all = shapes([secret(1), secret(2), secret(3), secret(4)]);
  expect(all[0]).toEqual({
    kind: "Secret",
    type: "Opaque",
    metadata: { name: "", namespace: "shop", generation: 0 },
    data: { password: "", nested: { deep: [""] } },
    stringData: { token: "", port: 0 },
    env: [{ name: "PASSWORD", value: "" }],
    immutable: true,
    certificate: "",
  });
  expect(all[1].metadata.generation).toBe(2);
});

test("drops values that only two objects share, and skips invalid JSON", () => {
  expect(shapes([{ a: "x" }, { a: "x" }])).toEqual([{ a: "" }, { a: "" }]);
  expect(shapesOf([Buffer.from("{")])).toEqual([]);
});
