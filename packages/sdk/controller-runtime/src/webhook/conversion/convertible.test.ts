import { customResourceDefinitions, defineResource, type KubeObject } from "@operator-path/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newWebhookManagedBy } from "../builder/webhook-builder.ts";
import { post } from "../testing/request.ts";
import { serveWebhooks, startCluster, until } from "../testing/webhook-bench.ts";
import { conversionWebhook } from "./conversion-webhook.ts";
import { convertible } from "./convertible.ts";
import { checkRoundTrip, fuzzRoundTrip } from "./round-trip.ts";

interface ClockV1 extends KubeObject {
  spec: { time: string };
}
interface ClockV2 extends KubeObject {
  spec: { hour: number; minute: number; zone?: string };
}
interface ClockV3 extends KubeObject {
  spec: { minutes: number; zone?: string };
}

const common = { group: "example.com", kind: "Clock", plural: "clocks", namespaced: true };
const clocksV1 = defineResource<ClockV1>({ ...common, version: "v1" });
const clocksV2 = defineResource<ClockV2>({ ...common, version: "v2" });
const clocksV3 = defineResource<ClockV3>({ ...common, version: "v3" });
const zoneAnnotation = "example.com/zone";

const clocks = convertible({
  hub: clocksV2,
  spokes: [
    {
      resource: clocksV1,
      toHub({ spec, metadata }) {
        const [hour = Number.NaN, minute = Number.NaN] = spec.time.split(":").map(Number);
        if (!Number.isInteger(hour) || !Number.isInteger(minute)) {
          throw new Error(`spec.time is ${JSON.stringify(spec.time)}, expected "12:30"`);
        }
        const { [zoneAnnotation]: zone, ...annotations } = metadata?.annotations ?? {};
        return {
          metadata: { ...metadata, annotations },
          spec: { hour, minute, ...(zone !== undefined && { zone }) },
        };
      },
      fromHub({ spec: { hour, minute, zone }, metadata }) {
        const annotations = {
          ...metadata?.annotations,
          ...(zone !== undefined && { [zoneAnnotation]: zone }),
        };
        return { metadata: { ...metadata, annotations }, spec: { time: `${hour}:${minute}` } };
      },
    },
    {
      resource: clocksV3,
      toHub: ({ spec: { minutes, ...rest } }) => ({
        spec: { hour: Math.floor(minutes / 60), minute: minutes % 60, ...rest },
      }),
      fromHub: ({ spec: { hour, minute, ...rest } }) => ({ spec: { minutes: hour * 60 + minute, ...rest } }),
    },
  ],
});

const clockOf = (version: string, spec: object, name = "noon"): KubeObject & { spec: object } => ({
  ...{ apiVersion: `example.com/${version}`, kind: "Clock" },
  metadata: { name, namespace: "default", annotations: {} },
  spec,
});

describe("conversion between versions", () => {
  test("goes through the hub and does not change its argument", async () => {
    const object = clockOf("v1", { time: "12:30" });
    const before = structuredClone(object);
    expect(await clocks.convert(object, "example.com/v3")).toEqual(clockOf("v3", { minutes: 750 }));
    expect(await clocks.convert(object, "example.com/v2")).toEqual(clockOf("v2", { hour: 12, minute: 30 }));
    expect(object).toEqual(before);
  });

  test("preserves every object in a round trip", async () => {
    const spec = fc.record(
      { hour: fc.nat(23), minute: fc.nat(59), zone: fc.string() },
      { requiredKeys: ["hour", "minute"] },
    );
    await fc.assert(fc.asyncProperty(spec, (each) => checkRoundTrip(clocks, clockOf("v2", each))));
    await fuzzRoundTrip(clocks, {
      generate: (random) => clockOf("v3", { minutes: Math.floor(random() * 1440) }),
    });
  });

  test.each([
    ["absent", {}, { status: {} }],
    ["empty", { status: { zones: {} } }, {}],
  ])("treats an object that is %s as equal after a round trip", async (_, given, found) => {
    const object = { ...clockOf("v2", { hour: 1, minute: 2 }), ...given };
    const converter = {
      ...clocks,
      apiVersions: ["example.com/v2", "example.com/v3"],
      convert: async (_: KubeObject, apiVersion: string) => ({
        ...object,
        status: undefined,
        ...found,
        apiVersion,
      }),
    };
    await checkRoundTrip(converter, object);
  });

  test("reports what a round trip lost, and how to reproduce it", async () => {
    const forgetful = convertible({
      hub: clocksV2,
      spokes: [
        {
          resource: clocksV3,
          toHub: ({ spec: { minutes } }) => ({
            spec: { hour: Math.floor(minutes / 60), minute: minutes % 60 },
          }),
          fromHub: ({ spec: { hour, minute } }) => ({ spec: { minutes: hour * 60 + minute } }),
        },
      ],
    });
    await expect(
      checkRoundTrip(forgetful, clockOf("v2", { hour: 1, minute: 2, zone: "UTC" })),
    ).rejects.toThrow(
      'Clock of example.com/v2 changes in a round trip through example.com/v3:\n{"op":"remove","path":"/spec/zone"}',
    );
    const fuzz = {
      seed: 7,
      generate: (random: () => number) => clockOf("v2", { hour: 1, minute: 2, zone: `${random()}` }),
    };
    await expect(fuzzRoundTrip(forgetful, fuzz)).rejects.toThrow("run 0 of seed 7: Clock of example.com/v2");
  });
});

describe("a failed conversion names object and versions", () => {
  const failing = (fromHub: (object: ClockV2) => ClockV3) =>
    convertible({
      hub: clocksV2,
      spokes: [{ resource: clocksV3, toHub: () => ({ spec: { hour: 1, minute: 1 } }), fromHub }],
    });
  const prefix = "cannot convert Clock default/noon from example.com/v2 to example.com/v3: ";
  const object = clockOf("v2", { hour: 12, minute: 30 });

  test.each<[string, (object: ClockV2) => ClockV3, string]>([
    [
      "an error",
      () => {
        throw new Error("no such hour");
      },
      "no such hour",
    ],
    [
      "a programming error",
      () => {
        throw new TypeError("x is undefined");
      },
      "internal error occurred during conversion",
    ],
    [
      "another name",
      ({ metadata }) => ({ metadata: { ...metadata, name: "b" }, spec: { minutes: 1 } }),
      "must have the same name: noon != b",
    ],
    [
      "another namespace",
      ({ metadata }) => ({ metadata: { ...metadata, namespace: "b" }, spec: { minutes: 1 } }),
      "must have the same namespace: default != b",
    ],
    [
      "another UID",
      ({ metadata }) => ({ metadata: { ...metadata, uid: "b" }, spec: { minutes: 1 } }),
      "must have the same UID:  != b",
    ],
  ])("%s", async (_what, fromHub, why) => {
    await expect(failing(fromHub).convert(object, "example.com/v3")).rejects.toThrow(prefix + why);
  });

  test("an unknown version", async () => {
    await expect(clocks.convert(object, "example.com/v9")).rejects.toThrow(
      "cannot convert Clock default/noon from example.com/v2 to example.com/v9: not convertible; there are conversions of Clock between example.com/v2, example.com/v1, example.com/v3",
    );
  });

  test("spokes that do not fit the hub", () => {
    const spoke = {
      toHub: () => ({ spec: { hour: 1, minute: 1 } }),
      fromHub: () => ({ spec: { minutes: 1 } }),
    };
    const other = defineResource<ClockV3>({ ...common, kind: "Watch", version: "v3" });
    expect(() => convertible({ hub: clocksV2, spokes: [{ resource: other, ...spoke }] })).toThrow(
      "Watch of example.com/v3 is not a version of Clock of example.com/v2",
    );
    const twice = { resource: clocksV3, ...spoke };
    expect(() => convertible({ hub: clocksV2, spokes: [twice, twice] })).toThrow(
      "example.com/v3 appears twice",
    );
  });
});

test("keeps integers that JavaScript cannot represent", async () => {
  const plain = convertible({
    hub: clocksV2,
    spokes: [
      {
        resource: clocksV3,
        toHub: ({ spec }) => ({ spec: { hour: spec.minutes, minute: 0 } }),
        fromHub: ({ spec }) => ({ spec: { minutes: spec.hour } }),
      },
    ],
  });
  const { webhookServer, url, authority } = await serveWebhooks();
  webhookServer.converters.register(plain);
  webhookServer.register("/convert", conversionWebhook(webhookServer.converters));
  const ask = async (...hours: string[]) => {
    const objects = hours.map((_hour, index) => clockOf("v2", { hour: `HOUR${index}`, minute: 0 }));
    const request = { uid: "u", desiredAPIVersion: "example.com/v3", objects };
    const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
    const text = hours.reduce(
      (all, hour, index) => all.replace(`"HOUR${index}"`, hour),
      JSON.stringify(review),
    );
    return (await post(`${url}/convert`, text, { ca: authority })).body;
  };
  expect(await ask("9223372036854775807")).toContain('"spec":{"minutes":9223372036854775807}');
  // One answer for all objects: which of the two integers is which cannot be known.
  expect(await ask("9223372036854775807", "9223372036854775806")).toMatch(
    /"uid":"u","convertedObjects":\[\],"result":.*"Failure".*store them as strings/,
  );
});

test("an API server stores one version and serves all", async () => {
  const connection = await startCluster();
  const served = await serveWebhooks();
  newWebhookManagedBy(served).for(clocksV2).withConverter(clocks).complete();
  await connection.resource(customResourceDefinitions).create({
    metadata: { name: "clocks.example.com" },
    spec: {
      ...{ group: "example.com", scope: "Namespaced", names: { plural: "clocks", kind: "Clock" } },
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: served.clientConfig("/convert") },
      },
      versions: ["v1", "v2", "v3"].map((name) => ({
        ...{ name, served: true, storage: name === "v3" },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      })),
    },
  });
  const [v1, v2, v3] = [clocksV1, clocksV2, clocksV3].map((each) =>
    connection.resource<KubeObject & { spec: object }>(each).namespace("default"),
  );
  await until(() => v2?.create(clockOf("v2", { hour: 12, minute: 30, zone: "UTC" })));
  expect((await v3?.get("noon"))?.spec).toEqual({ minutes: 750, zone: "UTC" });
  expect(await v1?.get("noon")).toMatchObject({
    metadata: { annotations: { [zoneAnnotation]: "UTC" } },
    spec: { time: "12:30" },
  });
  await expect(v1?.create(clockOf("v1", { time: "noon" }, "b"))).rejects.toThrow(
    'conversion webhook for example.com/v1, Kind=Clock failed: cannot convert Clock default/b from example.com/v1 to example.com/v2: spec.time is "noon", expected "12:30"',
  );
});
