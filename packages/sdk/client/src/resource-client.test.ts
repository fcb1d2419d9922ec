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
  "sends nothing for the name %j, which would reach another resource",
  async (name) => {
    const { client, sent } = recordingClient();
    const resource = client.resource(pods).namespace("shop");
    await expect(resource.delete(name)).rejects.toThrow("cannot be the name of a Pod");
    await expect(resource.patch(name, {}, { type: "merge" })).rejects.toThrow(TypeError);
    if (name !== "") await expect(client.resource(pods).namespace(name).list()).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  },
);

test("rejects a patch without a type, and sends nothing", async () => {
  const { client, sent } = recordingClient();
  // Only unchecked JavaScript can do this.
  const patch = client.resource(pods).namespace("shop").patch as (...args: unknown[]) => Promise<unknown>;
  const message =
    'the type of the patch of Pod "a" is missing: pass { type: "merge" } (or "json", "strategic", "apply") as the third argument';
  for (const options of [undefined, null, {}, { type: undefined }]) {
    await expect(patch("a", {}, options)).rejects.toEqual(new UsageError(message));
  }
  await expect(patch("a", {}, { type: "Merge" })).rejects.toThrow(
    '"Merge" is not a patch type: pass { type: "merge" } (or "json", "strategic", "apply")',
  );
  await expect(patch("a", {}, { type: "toString" })).rejects.toThrow('"toString" is not a patch type');
  expect(sent).toEqual([]);
});

test("needs a namespace for one object of a namespaced resource, but not for a list", async () => {
  const { client, sent } = recordingClient();
  await expect(client.resource(pods).get("a")).rejects.toThrow("a Pod is namespaced: set the namespace");
  await expect(client.resource(pods).create({ metadata: { name: "a" } })).rejects.toThrow(".namespace(…)");
  await expect(client.resource(nodes).namespace("shop").get("a")).rejects.toThrow("a Node is cluster-scoped");
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

test("reads the wait from a Status without a Retry-After header", () => {
  expect(new ApiError({ code: 504, details: { retryAfterSeconds: 2 } }).retryAfter).toBe(2_000);
});
