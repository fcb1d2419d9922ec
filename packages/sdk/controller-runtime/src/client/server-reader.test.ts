import { ApiError, configMaps, createClientOn, type TransportRequest } from "@operator-path/client";
import { expect, test } from "vitest";
import { createServerReader } from "./server-reader.ts";

/** A server with so many ConfigMaps that forgets its continue tokens. */
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
    stream: () => Promise.reject(new Error("nobody watches")),
    close: async () => {},
  });
  return { reader: createServerReader(connection), asked };
}

test("a list whose pages the server has forgotten is asked for in one piece", async () => {
  const { reader, asked } = startForgetful(1_200);
  expect(await reader.list(configMaps, { namespace: "a" })).toHaveLength(1_200);
  expect(asked).toMatchObject([{ limit: 500 }, { continue: "token" }, {}]);
  expect(await reader.list(configMaps, { namespace: "a", limit: 700 })).toHaveLength(700);
  expect(await reader.list(configMaps, { limit: 20 })).toHaveLength(20);
});

test("what else goes wrong is the caller's", async () => {
  const connection = createClientOn({
    request: () => Promise.reject(new ApiError({ code: 403, reason: "Forbidden", message: "not you" })),
    stream: () => Promise.reject(new Error("nobody watches")),
    close: async () => {},
  });
  await expect(createServerReader(connection).list(configMaps)).rejects.toThrow("not you");
});
