import type { KubeObject } from "@operator-path/client";
import fc from "fast-check";
import jsonPatch from "fast-json-patch";
import { describe, expect, test } from "vitest";
import { type Memcached, memcached, memcacheds } from "../../controller/testing/memcached.ts";
import { post } from "../testing/request.ts";
import { recordingLogger, serveWebhooks } from "../testing/webhook-bench.ts";
import { admissionWebhook } from "./admission-webhook.ts";
import { customDefaulter } from "./custom-defaulter.ts";
import { customValidator } from "./custom-validator.ts";
import { field, throwIfInvalid } from "./field-error.ts";
import { fieldPath } from "./field-path.ts";
import type { AdmissionHandler } from "./handler.ts";
import { createJsonPatch } from "./json-patch.ts";
import type { AdmissionRequest } from "./request.ts";
import { allowed, denied, errored, patched } from "./response.ts";

const request = (members: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: "u-1",
  kind: { group: "cache.example.com", version: "v1alpha1", kind: "Memcached" },
  resource: { group: "cache.example.com", version: "v1alpha1", resource: "memcacheds" },
  ...{ name: "sample", namespace: "default", operation: "CREATE", userInfo: { username: "me" } },
  object: memcached("sample"),
  oldObject: null,
  ...members,
});

interface Reviewed {
  apiVersion: string;
  kind: string;
  response: Record<string, unknown> & { patch?: string };
}

/** Returns the answer to the API server. */
async function review(
  handler: AdmissionHandler,
  asked: unknown = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: request() },
  contentType = "application/json",
): Promise<Reviewed & { lines: string[] }> {
  const { log, lines } = recordingLogger();
  const body = Buffer.from(typeof asked === "string" ? asked : JSON.stringify(asked));
  const signal = new AbortController().signal;
  const call = { method: "POST", path: "/x", headers: { "content-type": contentType }, body, signal };
  const answer = await admissionWebhook(handler, { log })(call);
  expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
  return { ...JSON.parse(answer.body), lines };
}

const ask = (handler: AdmissionHandler, members: Partial<AdmissionRequest>) =>
  review(handler, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: request(members) });

describe("a response", () => {
  test.each([
    ["allowed", allowed(), { allowed: true, status: { metadata: {}, code: 200 } }],
    [
      "allowed, with a message",
      allowed("fine"),
      { allowed: true, status: { metadata: {}, code: 200, message: "fine" } },
    ],
    [
      "denied",
      denied("no"),
      { allowed: false, status: { metadata: {}, code: 403, reason: "Forbidden", message: "no" } },
    ],
    [
      "errored",
      errored(418, new Error("tea")),
      { allowed: false, status: { metadata: {}, code: 418, message: "tea" } },
    ],
    [
      "with warnings and audit annotations",
      { allowed: true, warnings: ["old"], auditAnnotations: { a: "b" } },
      { allowed: true, status: { metadata: {}, code: 200 }, warnings: ["old"], auditAnnotations: { a: "b" } },
    ],
    [
      "patched",
      patched("", { op: "add", path: "/a", value: 1 }),
      {
        allowed: true,
        status: { metadata: {}, code: 200 },
        patchType: "JSONPatch",
        patch: Buffer.from('[{"op":"add","path":"/a","value":1}]').toString("base64"),
      },
    ],
  ])("that is %s", async (_what, given, expected) => {
    const { apiVersion, kind, response } = await review(() => given);
    expect({ apiVersion, kind }).toEqual({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" });
    expect(response).toEqual({ uid: "u-1", ...expected });
  });

  test("has the version of the review", async () => {
    const old = { apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview", request: request() };
    expect((await review(() => allowed(), old)).apiVersion).toBe("admission.k8s.io/v1beta1");
  });

  test("contains the thrown error, and the log adds the request", async () => {
    const { response, lines } = await review((_request, { warn }) => {
      warn("it got so far");
      throw new Error("out of coffee");
    });
    expect(response).toMatchObject({
      ...{ uid: "u-1", allowed: false, warnings: ["it got so far"] },
      status: { code: 500, message: "panic: out of coffee [recovered]" },
    });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        ...{
          level: "error",
          error: "out of coffee",
          requestID: "u-1",
          user: "me",
          namespace: "default",
          name: "sample",
        },
      }),
    ]);
  });
});

describe("an invalid request", () => {
  test.each<[string, unknown, string, string]>([
    ["nothing", "", "application/json", "request body is empty"],
    ["a form", "a=b", "application/foo", "contentType=application/foo, expected application/json"],
    ["no JSON", "{", "application/json", "unable to decode the request: it is not JSON"],
    ["a list", "[]", "application/json", "unable to decode the request: it is not an AdmissionReview"],
    [
      "another kind",
      { apiVersion: "v1", kind: "Pod" },
      "application/json",
      "unable to decode the request: it is a v1, Kind=Pod, expected an AdmissionReview of admission.k8s.io/v1",
    ],
    [
      "a review without a request",
      { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" },
      "application/json",
      "unable to decode the request: the AdmissionReview has no request with a uid",
    ],
  ])("is rejected: %s", async (_what, body, contentType, message) => {
    const { response } = await review(() => allowed(), body, contentType);
    expect(response).toMatchObject({ allowed: false, status: { code: 400, message } });
  });
});

describe("a defaulter", () => {
  const size = (set: number) =>
    customDefaulter<Memcached>((object) => ({ ...object, spec: { size: set } }), { resource: memcacheds });
  const patchOf = ({ response }: Reviewed) =>
    response.patch && JSON.parse(Buffer.from(response.patch, "base64").toString());

  test("answers with a patch of its changes, made in place or returned, or without a patch", async () => {
    expect(patchOf(await review(size(3)))).toEqual([{ op: "replace", path: "/spec/size", value: 3 }]);
    const inPlace = customDefaulter<Memcached>((object) => {
      object.metadata = { ...object.metadata, labels: { "a/b": "c" } };
    });
    expect(patchOf(await review(inPlace))).toEqual([
      { op: "add", path: "/metadata/labels", value: { "a/b": "c" } },
    ]);
    expect((await review(size(1))).response).toEqual({
      ...{ uid: "u-1", allowed: true },
      status: { metadata: {}, code: 200 },
    });
  });

  test("is not called for deletions, and rejects objects of another kind", async () => {
    expect((await ask(size(3), { operation: "DELETE", object: null })).response.allowed).toBe(true);
    const { response } = await ask(size(3), { object: { apiVersion: "v1", kind: "Pod" } });
    expect(response).toMatchObject({
      allowed: false,
      status: {
        code: 400,
        message:
          "unable to decode v1, Kind=Pod into a Memcached of cache.example.com/v1alpha1: the rules of the webhook's configuration send it here",
      },
    });
    expect((await ask(size(3), { object: null })).response.status).toMatchObject({
      ...{ code: 400, message: "there is no content to decode" },
    });
  });

  test("creates a patch between any two objects", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<KubeObject>;
    fc.assert(
      fc.property(object, object, (from, to) => {
        const [before, after] = [from, to].map((each) => JSON.parse(JSON.stringify(each)));
        // The library that applies it here cannot do that. An API server can.
        fc.pre(!JSON.stringify([before, after]).includes("__proto__"));
        const patch = createJsonPatch(from, to);
        const result = jsonPatch.applyPatch(structuredClone(before), patch as never, false, true, false);
        expect(result.newDocument).toEqual(after);
      }),
    );
  });

  test("treats __proto__ as an ordinary name", () => {
    const [without, one, other] = ["{}", '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'].map((text) =>
      JSON.parse(text),
    );
    expect(createJsonPatch(without, one)).toEqual([{ op: "add", path: "/__proto__", value: { a: 1 } }]);
    expect(createJsonPatch(one, other)).toEqual([{ op: "replace", path: "/__proto__/a", value: 2 }]);
    expect(createJsonPatch(one, without)).toEqual([{ op: "remove", path: "/__proto__" }]);
  });
});

describe("a validator", () => {
  const wrong = () => {
    throw new Error("no");
  };
  const refuses = customValidator<Memcached>({
    validateCreate: wrong,
    validateUpdate: wrong,
    validateDelete: wrong,
  });

  test.each(["CREATE", "UPDATE", "DELETE"] as const)("denies by throwing: %s", async (operation) => {
    const members = { operation, oldObject: memcached("sample") };
    expect((await ask(refuses, members)).response).toMatchObject({
      ...{ allowed: false, status: { code: 403, reason: "Forbidden", message: "no" } },
    });
    // A missing function allows the request.
    expect((await ask(customValidator({}), members)).response.allowed).toBe(true);
  });

  test("denies with all messages of an AggregateError, and with Node's error messages", async () => {
    const several = customValidator<Memcached>({
      validateCreate() {
        throw new AggregateError([new Error("one"), new Error("two")]);
      },
    });
    expect((await ask(several, {})).response.status).toMatchObject({ code: 403, message: "[one, two]" });
    const parsing = customValidator<Memcached>({ validateCreate: () => void new URL("nowhere") });
    expect((await ask(parsing, {})).response.status).toMatchObject({ code: 403, message: "Invalid URL" });
  });

  test("allows CONNECT and rejects unknown operations", async () => {
    expect((await ask(refuses, { operation: "CONNECT", object: null })).response.allowed).toBe(true);
    const members = { operation: "PEEK" } as unknown as Partial<AdmissionRequest>;
    expect((await ask(refuses, members)).response.status).toMatchObject({
      ...{ code: 400, message: 'unknown operation "PEEK"' },
    });
  });

  test("returns warnings, also with a denial", async () => {
    const warns = customValidator<Memcached>({ validateCreate: () => ["size will go"] });
    expect((await review(warns)).response.warnings).toEqual(["size will go"]);
    const both = customValidator<Memcached>({
      validateCreate(_object, { warn, request: { userInfo } }) {
        warn(`careful, ${userInfo.username}`);
        throw new Error("no");
      },
    });
    expect((await review(both)).response).toMatchObject({ allowed: false, warnings: ["careful, me"] });
  });

  test("names invalid fields, as an API server does for built-in kinds", async () => {
    const picky = customValidator<Memcached>({
      validateCreate(object) {
        const spec = fieldPath("spec");
        throwIfInvalid(memcacheds, object, [
          field.invalid(spec.child("size"), object.spec?.size, "must be even"),
          field.required(spec.child("ports").index(0).child("name")),
          field.notSupported("spec.policy", "x", ["a", "b"]),
          field.forbidden(fieldPath("metadata", "labels").key("a/b"), "not yours"),
          field.tooLong("spec.text", 1),
          field.tooMany("spec.list", 3, 2),
        ]);
      },
    });
    expect((await review(picky)).response).toMatchObject({
      allowed: false,
      status: {
        ...{ code: 422, reason: "Invalid", status: "Failure" },
        message:
          'Memcached.cache.example.com "sample" is invalid: [spec.size: Invalid value: 1: must be even, spec.ports[0].name: Required value, spec.policy: Unsupported value: "x": supported values: "a", "b", metadata.labels[a/b]: Forbidden: not yours, spec.text: Too long: may not be more than 1 byte, spec.list: Too many: 3: must have at most 2 items]',
        details: {
          ...{ group: "cache.example.com", kind: "Memcached", name: "sample" },
          causes: expect.arrayContaining([
            { reason: "FieldValueInvalid", message: "Invalid value: 1: must be even", field: "spec.size" },
            { reason: "FieldValueForbidden", message: "Forbidden: not yours", field: "metadata.labels[a/b]" },
          ]),
        },
      },
    });
    expect(() => throwIfInvalid(memcacheds, memcached("a"), [])).not.toThrow();
  });

  test("answers 500, not 403, after a programming error", async () => {
    const broken = customValidator<Memcached>({
      validateCreate: ({ status }) => (status as { nodes: string[] }).nodes,
    });
    const { response, lines } = await review(broken);
    expect(response).toMatchObject({ allowed: false, status: { code: 500 } });
    expect(lines).toHaveLength(1);
  });
});

test("gives the API server a valid answer for a missing response and invalid warnings", async () => {
  const forgetful = (() => {}) as unknown as AdmissionHandler;
  expect((await review(forgetful)).response).toMatchObject({
    ...{ uid: "u-1", allowed: false },
    status: { code: 500, message: expect.stringContaining("return allowed(), denied(…) or errored(…)") },
  });
  const careless = () => ({ ...allowed(), warnings: [undefined, 5, "", "two\n\tlines"] as string[] });
  // A kube-apiserver drops warnings that do not fit into a header line.
  expect((await review(careless)).response.warnings).toEqual(["5", "two lines"]);
});

test("a patch keeps integers that JavaScript cannot represent", async () => {
  const ask = (ids: string) =>
    review(
      customDefaulter((object) => {
        const { ids } = object as unknown as { ids: number[] };
        return { ...object, ids: [1, ...ids] } as KubeObject;
      }),
      JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: request({ object: { metadata: { name: "sample" }, ids: ["IDS"] } as KubeObject }),
      }).replace('"IDS"', ids),
    );
  const { patch = "" } = (await ask("9223372036854775807")).response;
  expect(Buffer.from(patch, "base64").toString()).toContain('"value":9223372036854775807');
  const both = await ask("9223372036854775807,9223372036854775806");
  expect(both.response).toMatchObject({
    ...{ uid: "u-1", allowed: false },
    status: { code: 500, message: expect.stringContaining("store them as strings") },
  });
});

test("counts and measures requests", async () => {
  const { webhookServer, url, authority, metrics } = await serveWebhooks();
  webhookServer.register(
    "/allow",
    admissionWebhook(() => allowed()),
  );
  webhookServer.register("/fail", () => Promise.reject(new Error("x")));
  const body = JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: request(),
  });
  for (const path of ["/allow", "/allow", "/fail"]) await post(`${url}${path}`, body, { ca: authority });
  const text = await metrics.metrics();
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/allow",code="200"} 2\n');
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/allow",code="500"} 0\n');
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/fail",code="500"} 1\n');
  expect(text).toContain('controller_runtime_webhook_requests_in_flight{webhook="/allow"} 0\n');
  expect(text).toContain('controller_runtime_webhook_latency_seconds_count{webhook="/allow"} 2\n');
});
