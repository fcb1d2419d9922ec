import { expect, test } from "vitest";
import { shapesOf } from "./sample-shapes.ts";

const shapes = (objects: unknown[]) =>
  shapesOf(objects.map((object) => Buffer.from(JSON.stringify(object)))).map((shape) =>
    JSON.parse(`${shape}`),
  );

test("names of members stay, and short values that several objects share; nothing of one object alone", () => {
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

test("what two objects share is not usual yet; what is no JSON is left out", () => {
  expect(shapes([{ a: "x" }, { a: "x" }])).toEqual([{ a: "" }, { a: "" }]);
  expect(shapesOf([Buffer.from("{")])).toEqual([]);
});
