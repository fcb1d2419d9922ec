import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import { ApiError, type Client, createClient, customResourceDefinitions } from "@operator-path/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { parseOptions } from "../command/options.ts";
import { generate } from "../generate.ts";
import { expectedFiles, testCases, testdata } from "../testing/cases.ts";
import {
  cronJobs,
  defaultCronJob,
  validateCronJob,
} from "../testing/testdata/cronjob/v1/zz_generated.resources.ts";
import {
  memcacheds,
  validateMemcached,
} from "../testing/testdata/memcached/v1alpha1/zz_generated.resources.ts";
import { resourceModuleName } from "./resource-module.ts";

let client: Client;
let stop: () => Promise<void>;

beforeAll(async () => {
  const server = await startApiServer();
  client = createClient(server.kubeConfig());
  stop = async () => {
    await client.close();
    await server.stop();
  };
  for (const name of ["memcached", "cronjob"]) {
    for (const text of expectedFiles(name).values())
      await client.resource(customResourceDefinitions).create(parse(text));
  }
  await vi.waitFor(() => client.resource(memcacheds).list());
  await vi.waitFor(() => client.resource(cronJobs).list());
});

afterAll(() => stop());

function create(spec: unknown) {
  const object = { metadata: { generateName: "a-" }, spec } as never;
  return client.resource(memcacheds).namespace("default").create(object, { fieldValidation: "Strict" });
}

test.each([[{ size: "3" }], [{ size: -1 }], [{ size: 1.5 }], [{ size: null }], [{}], [[]], ["many"]])(
  "the server and the validator reject a Memcached with the spec %j with the same message",
  async (spec) => {
    const rejection = (await create(spec).catch((error: unknown) => error)) as ApiError;
    expect(rejection).toBeInstanceOf(ApiError);
    expect(rejection.code).toBe(422);
    const causes = rejection.status.details?.causes?.filter(({ field }) => field !== "<nil>");
    expect(validateMemcached({ metadata: { name: "a" }, spec })).toEqual(causes);
  },
);

test.each([
  [
    { size: 2 ** 31 },
    "spec.size",
    "Invalid value: 2147483648: spec.size in body must be of type integer with format int32",
  ],
  [{ size: 1, extra: true }, "spec.extra", "Forbidden: unknown field"],
  [JSON.parse('{ "size": 1, "__proto__": { "admin": true } }'), "spec.__proto__", "Forbidden: unknown field"],
])(
  "the server and the validator reject a Memcached with the spec %j for the same field",
  async (spec, field, message) => {
    expect(validateMemcached({ metadata: { name: "a" }, spec })).toEqual([
      expect.objectContaining({ field, message }),
    ]);
    const rejection = await create(spec).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(ApiError);
    expect((rejection as ApiError).message).toContain(field);
  },
);

test("the validator accepts an object that the server accepts", async () => {
  const created = await create({ size: 3 });
  expect(validateMemcached(created)).toEqual([]);
  expect(
    validateMemcached({ metadata: { name: "a" }, spec: { size: 3, extra: 1 } }, { unknownFields: "ignore" }),
  ).toEqual([]);
});

test("sets the same defaults as the server, down to the ports of a Pod's containers", async () => {
  const object = () => ({
    apiVersion: "cronjob.example.com/v1",
    kind: "CronJob",
    metadata: { name: "nightly", namespace: "default" },
    spec: {
      schedule: "0 3 * * *",
      jobTemplate: {
        spec: {
          template: {
            spec: {
              containers: [{ name: "a", image: "b", ports: [{ containerPort: 80 }], env: [{ name: "x" }] }],
            },
          },
        },
      },
    },
  });
  const stored = await client.resource(cronJobs).create(object());
  const defaulted = defaultCronJob(object());
  expect(defaulted.spec).toEqual(stored.spec);
  expect(defaulted.spec.concurrencyPolicy).toBe("Allow");
  expect(defaulted.spec.jobTemplate.spec?.template.spec?.containers[0]?.ports?.[0]?.protocol).toBe("TCP");
  expect(validateCronJob(stored)).toEqual([]);
  const wrong = { ...stored, spec: { ...stored.spec, concurrencyPolicy: "Never", schedule: 3 } };
  expect(validateCronJob(wrong).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'spec.schedule: Invalid value: "integer": spec.schedule in body must be of type string: "integer"',
    'spec.concurrencyPolicy: Unsupported value: "Never": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

test("the modules in testdata match the types beside them", () => {
  const committed = testCases().filter(({ name }) =>
    existsSync(join(testdata, name, "v1", resourceModuleName)),
  );
  expect(committed.length).toBeGreaterThan(4);
  for (const { name } of committed) {
    const { files } = generate(parseOptions(["object", `paths=./${name}/...`]), testdata);
    for (const { path, text } of files) expect(readFileSync(path, "utf8"), path).toBe(text);
  }
});
