import { expect, test } from "vitest";
import { createClientOn } from "./client.ts";
import { ApiError, UsageError } from "./errors.ts";
import { nodes, pods } from "./resources.ts";

function recordingClient() {
  const sent: string[] = [];
  const client = createClientOn({
    async request({ method, path }) {
      sent.push(`${method} ${path}`);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    },
    stream: () => Promise.reject(new Error("no streams here")),
    close: () => Promise.resolve(),
  });
  return { client, sent };
}

test.each(["", ".", "..", "../..", "a/b", "a%2Fb"])(
  "the name %j would reach another resource: nothing is sent",
  async (name) => {
    const { client, sent } = recordingClient();
    const resource = client.resource(pods).namespace("shop");
    await expect(resource.delete(name)).rejects.toThrow("cannot be the name of a Pod");
    await expect(resource.patch(name, {}, { type: "merge" })).rejects.toThrow(TypeError);
    if (name !== "") await expect(client.resource(pods).namespace(name).list()).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  },
);

test("a patch without a type is refused, and nothing is sent", async () => {
  const { client, sent } = recordingClient();
  // As a caller in JavaScript can write it.
  const patch = client.resource(pods).namespace("shop").patch as (...args: unknown[]) => Promise<unknown>;
  const message =
    'the type of the patch of Pod "a" is missing: pass { type: "merge" } (or "json", "strategic", "apply") as the third argument';
  for (const options of [undefined, null, {}, { type: undefined }]) {
    await expect(patch("a", {}, options)).rejects.toEqual(new UsageError(message));
  }
  await expect(patch("a", {}, { type: "Merge" })).rejects.toThrow(
    '"Merge" is not a type of patch: pass { type: "merge" } (or "json", "strategic", "apply")',
  );
  await expect(patch("a", {}, { type: "toString" })).rejects.toThrow('"toString" is not a type of patch');
  expect(sent).toEqual([]);
});

test("one object of a namespaced resource needs a namespace; a list of all does not", async () => {
  const { client, sent } = recordingClient();
  await expect(client.resource(pods).get("a")).rejects.toThrow("a Pod lives in a namespace");
  await expect(client.resource(pods).create({ metadata: { name: "a" } })).rejects.toThrow(".namespace(…)");
  await expect(client.resource(nodes).namespace("shop").get("a")).rejects.toThrow("no namespace");
  await client.resource(pods).create({ metadata: { name: "a", namespace: "shop" } });
  await client.resource(pods).list();
  await client.resource(pods).namespace("").list();
  await client.resource(nodes).get("a");
  expect(sent).toEqual([
    "POST /api/v1/namespaces/shop/pods",
    "GET /api/v1/pods",
    "GET /api/v1/pods",
    "GET /api/v1/nodes/a",
  ]);
});

test("a Status that asks to wait is heard without a Retry-After header", () => {
  expect(new ApiError({ code: 504, details: { retryAfterSeconds: 2 } }).retryAfter).toBe(2_000);
});
