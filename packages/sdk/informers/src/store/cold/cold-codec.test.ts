import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createColdCodec, shapesOf } from "./cold-codec.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 5_000 }),
  fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
);

const podOf = (name: string) =>
  Buffer.from(
    JSON.stringify({
      metadata: { name, namespace: "shop", uid: `${name}-uid`, labels: { app: "payment" } },
      spec: {
        containers: [
          { name: "main", image: "payment:1.0.0", terminationMessagePath: "/dev/termination-log" },
        ],
        tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" }],
      },
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True", lastProbeTime: null }] },
    }),
  );

describe("createColdCodec", () => {
  test("expands to the original bytes with any samples", () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 6 }), fc.array(bytes), (samples, all) => {
        const codec = createColdCodec(samples);
        for (const one of all) expect(codec.expand(codec.compress(one)).equals(one)).toBe(true);
      }),
    );
  });

  test("needs a quarter of the bytes or less for objects like the samples", () => {
    const codec = createColdCodec([podOf("a"), podOf("b")]);
    const pod = podOf("another-name");
    expect(codec.compress(pod).length).toBeLessThan(pod.length / 4);
  });

  test("copies the samples, and does not hold their memory", () => {
    const sample = podOf("a");
    const codec = createColdCodec([sample]);
    const compressed = codec.compress(podOf("b"));
    sample.fill(0);
    expect(codec.expand(compressed)).toEqual(podOf("b"));
  });
});

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
