import { ApiError, configMaps, createClientOn, type TransportRequest } from "@operator-path/client";
import { expect, test } from "vitest";
import { createServerReader } from "./server-reader.ts";

/** A server with this many ConfigMaps whose continue tokens expire. */
function startForgetful(size: number) {
  const asked: unknown[] = [];
  const items = Array.from({ length: size }, (_, index) => ({
    metadata: { namespace: "a", name: `c${index}` },
  }));
  const answer = ({ query = {} }: TransportRequest) => {
    asked.push(query);
    if (query.continue) throw new ApiError({ code: 410, reason: "Expired", message: "too old" });
    const page = items.slice(0, Number(query.limit ?? size));
    const next = page.length < size ? { continue: "token" } : {};
    return { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1", ...next }, items: page };
  };
  const connection = createClientOn({
    request: async (request) => ({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify(answer(request))),
    }),
    stream: () => Promise.reject(new Error("unexpected watch")),
    close: async () => {},
  });
  return { reader: createServerReader(connection), asked };
}

test("lists in one request after the continue token has expired", async () => {
  const { reader, asked } = startForgetful(1_200);
  expect(await reader.list(configMaps, { namespace: "a" })).toHaveLength(1_200);
  expect(asked).toMatchObject([{ limit: 500 }, { continue: "token" }, {}]);
  expect(await reader.list(configMaps, { namespace: "a", limit: 700 })).toHaveLength(700);
  expect(await reader.list(configMaps, { limit: 20 })).toHaveLength(20);
});

test("rejects with any other error", async () => {
  const connection = createClientOn({
    request: () => Promise.reject(new ApiError({ code: 403, reason: "Forbidden", message: "not you" })),
    stream: () => Promise.reject(new Error("unexpected watch")),
    close: async () => {},
  });
  await expect(createServerReader(connection).list(configMaps)).rejects.toThrow("not you");
});
