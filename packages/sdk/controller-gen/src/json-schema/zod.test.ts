import { startApiServer } from "@operator-path/apiserver";
import { type Client, createClient, customResourceDefinitions } from "@operator-path/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { caseRows, refusedFields, tables, zodFields } from "../testing/zod-cases.ts";
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
  await vi.waitFor(() => client.resource(tables).list(), { timeout: 30_000 });
});

afterAll(() => stop());

test.each(caseRows)("zod and the server agree about the fields of %s: %j", async (name, value) => {
  const spec = { [name]: value };
  expect(await refusedFields(client, spec)).toEqual(zodFields(spec));
});

test("the server drops null where a schema does not allow it, and zod rejects it", async () => {
  expect(await refusedFields(client, { string: null })).toEqual([]);
  expect(zodFields({ string: null })).toEqual(["spec.string"]);
});
