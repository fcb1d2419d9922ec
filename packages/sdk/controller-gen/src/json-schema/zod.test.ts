import { startApiServer } from "@operator-path/apiserver";
import { type Client, createClient, customResourceDefinitions } from "@operator-path/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { caseRows, rejectedFields, tables, zodCases, zodFields } from "../testing/zod-cases.ts";
import { customResourceDefinition } from "./definition.ts";

let client: Client;
let stop: () => Promise<void>;

beforeAll(async () => {
  const server = await startApiServer();
  client = createClient(server.kubeConfig());
  stop = async () => {
    await client.close();
    await server.stop();
  };
  await client
    .resource(customResourceDefinitions)
    .create(customResourceDefinition(tables), { fieldValidation: "Strict" });
  await vi.waitFor(() => client.resource(tables).list());
});

afterAll(() => stop());

test.each(caseRows)("zod and the server agree about the fields of %s: %j", async (name, value) => {
  const spec = { [name]: value };
  expect(await rejectedFields(client, spec)).toEqual(zodFields(spec));
});

test("the server drops null where a schema does not allow it, and zod rejects it", async () => {
  expect(await rejectedFields(client, { string: null })).toEqual([]);
  expect(zodFields({ string: null })).toEqual(["spec.string"]);
});

/** Values that resemble those of the cases. Without null, because the server drops it. */
function anyValue(): fc.Arbitrary<unknown> {
  const known = caseRows.map(([, value]) => value).filter((value) => !JSON.stringify(value).includes("null"));
  const texts = known.filter((value) => typeof value === "string");
  const misspelt = fc
    .tuple(fc.constantFrom(...texts), fc.nat(40), fc.string({ maxLength: 1 }))
    .map(([text, at, character]) => text.slice(0, at) + character + text.slice(at + 1));
  const scalar = fc.oneof(
    fc.integer(),
    fc.integer({ min: -3, max: 10 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    fc.boolean(),
    misspelt,
    fc.constantFrom(...known),
  );
  const port = fc.record({ name: scalar, number: scalar, a: scalar, b: scalar }, { requiredKeys: [] });
  return fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), port, fc.array(port, { maxLength: 2 }));
}

test("zod and the server accept the same random values", async () => {
  // Go's url.ParseRequestURI accepts more than URLs. Unknown keys are dropped by the server, and rejected by
  // z.record.
  const different = ["url", "keyedRecord", "partialRecord"];
  const names = Object.keys(zodCases).filter((name) => !different.includes(name));
  const property = fc.asyncProperty(fc.constantFrom(...names), anyValue(), async (name, value) => {
    const spec = { [name]: JSON.parse(JSON.stringify(value)) as unknown };
    const fields = await rejectedFields(client, spec, "Ignore");
    const byZod = zodFields(spec);
    expect(fields.length > 0).toBe(byZod.length > 0);
    // zod does not look at the items of a list that is too long.
    expect(fields).toEqual(expect.arrayContaining(byZod));
  });
  await fc.assert(property, { seed: 1, numRuns: 500 });
});
