import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { decodeRelease } from "./decode-release.ts";
import { type Release, releaseStatuses } from "./release.ts";
import { encodeRelease } from "./testing/releases.ts";

const text = fc.string({ unit: "grapheme" });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const releases: fc.Arbitrary<Release> = fc
  .record({
    ...{ name: text, namespace: text, revision: fc.nat(), status: fc.constantFrom(...releaseStatuses) },
    labels: optional(fc.constant({ "example.com/team": "a" })),
    ...{ manifest: text, notes: optional(text), description: optional(text), applyMethod: optional(text) },
    hooks: fc.array(
      fc.record({ name: text, kind: text, path: text, manifest: text, events: fc.array(text) }),
      { maxLength: 3 },
    ),
    chart: fc.record({ name: text, version: text, appVersion: text }),
    values: fc.dictionary(text, fc.jsonValue()) as fc.Arbitrary<JsonObject>,
    firstDeployed: fc.constantFrom(undefined, "2026-11-22T07:23:19.006724993Z"),
    lastDeployed: fc.constantFrom(undefined, "2026-11-22T07:23:19.006724993+01:00"),
    deleted: fc.constantFrom(undefined, "2026-11-23T00:00:00Z"),
  })
  // JSON turns -0 into 0, and drops undefined members.
  .map((release) => JSON.parse(JSON.stringify(release)) as Release);

it("reads back any release that was written", () => {
  fc.assert(
    fc.property(releases, (release) => {
      expect(decodeRelease(encodeRelease(release))).toEqual(release);
    }),
  );
});

const encoded = (bytes: string | Buffer) =>
  Buffer.from(Buffer.from(bytes).toString("base64")).toString("base64");

it("reads what helm 3 writes: empty times, and JSON without compression", () => {
  const json = JSON.stringify({
    ...{ name: "web", version: 2, namespace: "shop", chart: { metadata: { name: "web", version: "1.0.0" } } },
    info: { first_deployed: "2026-11-22T07:23:19Z", last_deployed: "", deleted: "", status: "superseded" },
  });
  for (const bytes of [json, gzipSync(json)]) {
    expect(decodeRelease({ data: { release: encoded(bytes) } })).toEqual({
      ...{
        name: "web",
        namespace: "shop",
        revision: 2,
        status: "superseded",
        manifest: "",
        hooks: [],
        values: {},
      },
      ...{ chart: { name: "web", version: "1.0.0" }, firstDeployed: "2026-11-22T07:23:19Z" },
    });
  }
});

it.each([
  ["no data", {}, "it has no data.release"],
  ["no base64", { release: "%%%" }, "Unexpected end of JSON input"],
  ["half a gzip", { release: encoded(gzipSync('{"name":"web"}').subarray(0, 15)) }, "unexpected end of file"],
  [
    "a bomb",
    { release: encoded(gzipSync(Buffer.alloc(161 * 1024 * 1024))) },
    "Cannot create a Buffer larger than",
  ],
  ["a list", { release: encoded("[]") }, "it is not an object"],
  ["a text for a revision", { release: encoded('{"version":"1"}') }, "its version is not a whole number"],
  ["a list for the values", { release: encoded('{"config":[]}') }, "its config is not an object"],
  ["a number for the manifest", { release: encoded('{"manifest":1}') }, "its manifest is not a string"],
  ["one hook, and no list", { release: encoded('{"hooks":{}}') }, "its hooks are not a list"],
])("names the Secret that holds %s, the problem and the remedy", (_, data, why) => {
  const secret = { metadata: { namespace: "shop", name: "sh.helm.release.v1.web.v3" }, data };
  let error: Error | undefined;
  try {
    decodeRelease(secret);
  } catch (thrown) {
    error = thrown as Error;
  }
  const begin = "Secret shop/sh.helm.release.v1.web.v3 contains no helm release: ";
  expect(error).toMatchObject({ name: "ReleaseError" });
  expect(error?.message.startsWith(begin)).toBe(true);
  expect(error?.message).toContain(why);
  expect(error?.message).toMatch(
    /: restore it from a backup, or delete it to make helm forget that revision$/,
  );
});

it("reads an unrecognized status as unknown", () => {
  expect(decodeRelease({ data: { release: encoded('{"info":{"status":"paused"}}') } }).status).toBe(
    "unknown",
  );
});
