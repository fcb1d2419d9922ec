import { describe, expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";
import { decodeProtobuf } from "./decode.ts";
import { ProtobufError } from "./wire.ts";

// Recorded from kubectl 1.36.3: create namespace demo; create configmap a --from-literal=x=y.
const namespace = Buffer.from(
  "6b3873000a0f0a02763112094e616d657370616365121c0a140a0464656d6f12001a0022002a003200380042001200" +
    "1a020a001a002200",
  "hex",
);
const configMap = Buffer.from(
  "6b3873000a0f0a0276311209436f6e6669674d6170121b0a110a016112001a0022002a003200380042001206" +
    "0a017812017" +
    "91a002200",
  "hex",
);

/** Encodes a field of a message. */
function field(number: number, value: Buffer | string | bigint): Buffer {
  if (typeof value === "bigint") return Buffer.concat([varint(BigInt(number) << 3n), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((BigInt(number) << 3n) | 2n), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function envelope(apiVersion: string, kind: string, ...fields: Buffer[]): Buffer {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, typeMeta), field(2, Buffer.concat(fields))]);
}

test("decodes what kubectl sends", () => {
  expect(decodeProtobuf(namespace)).toEqual({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name: "demo" },
    spec: {},
    status: {},
  });
  expect(decodeProtobuf(configMap)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a" },
    data: { x: "y" },
  });
});

describe("values", () => {
  const decodeSpec = (...fields: Buffer[]) =>
    decodeProtobuf(envelope("apps/v1", "Deployment", field(2, Buffer.concat(fields)))).spec;

  test("keep an explicit zero, and drop one that could not be absent", () => {
    // In Go, replicas is a pointer and minReadySeconds is not.
    expect(decodeSpec(field(1, 0n), field(5, 0n))).toMatchObject({ replicas: 0 });
    expect(decodeSpec(field(1, 0n), field(5, 0n))).not.toHaveProperty("minReadySeconds");
  });

  test("may be negative, and IntOrString may be both", () => {
    expect(decodeSpec(field(1, -1n))).toMatchObject({ replicas: -1 });
    const strategy = (value: Buffer) => decodeSpec(field(4, field(2, field(1, value))));
    expect(strategy(Buffer.concat([field(1, 0n), field(2, 3n)]))).toMatchObject({
      strategy: { rollingUpdate: { maxUnavailable: 3 } },
    });
    expect(strategy(Buffer.concat([field(1, 1n), field(3, "25%")]))).toMatchObject({
      strategy: { rollingUpdate: { maxUnavailable: "25%" } },
    });
  });

  test("may be times, bytes, quantities and maps", () => {
    const metadata = Buffer.concat([
      field(1, "s"),
      field(8, field(1, 1_000_000_000n)),
      field(11, Buffer.concat([field(1, "__proto__"), field(2, "v")])),
    ]);
    const data = Buffer.concat([field(1, "k"), field(2, Buffer.from([0, 255]))]);
    const secret = decodeProtobuf(envelope("v1", "Secret", field(1, metadata), field(2, data)));
    expect(secret).toMatchObject({
      metadata: { name: "s", creationTimestamp: "2001-09-09T01:46:40Z" },
      data: { k: "AP8=" },
    });
    expect(Object.keys(secret.metadata as object)).toContain("labels");
    expect(JSON.stringify(secret)).toContain('"labels":{"__proto__":"v"}');
  });
});

test.each([
  ["no magic", Buffer.from("{}")],
  ["cut off", configMap.subarray(0, 20)],
  ["an unknown kind", envelope("v1", "Nothing")],
  ["a wrong type", envelope("v1", "ConfigMap", field(1, 7n))],
])("rejects %s", (_name, bytes) => {
  expect(() => decodeProtobuf(bytes)).toThrow(ProtobufError);
});

test("accepts it over HTTP, and answers in JSON", async () => {
  const server = await startTestServer();
  const headers = {
    "content-type": "application/vnd.kubernetes.protobuf",
    accept: "application/vnd.kubernetes.protobuf,application/json",
  };
  const answer = await server.request("POST", "/api/v1/namespaces?fieldValidation=Strict", {
    body: namespace,
    headers,
  });
  expect(answer.status).toBe(201);
  expect(answer.json().metadata.name).toBe("demo");
  const broken = await server.request("POST", "/api/v1/namespaces", {
    body: Buffer.from("k8s\0\u0001"),
    headers,
  });
  expect(broken.json()).toMatchObject({ code: 400, message: expect.stringContaining("not valid protobuf") });
});
