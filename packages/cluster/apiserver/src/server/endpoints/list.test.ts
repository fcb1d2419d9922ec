import { beforeEach, describe, expect, test } from "vitest";
import { configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";

const collection = "/api/v1/namespaces/default/configmaps";
let server: TestServer;

interface List {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  items: { metadata: { name: string; namespace: string } }[];
}

beforeEach(async () => {
  server = await startTestServer({ history: { historyLimit: 50 } });
});

async function list(query = "", path = collection): Promise<List> {
  const answer = await server.request("GET", `${path}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json<List>();
}

const names = ({ items }: List) => items.map(({ metadata }) => metadata.name);

async function fill(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await server.create(collection, configMap(`c${index}`, {}, { even: String(index % 2 === 0) }));
  }
}

describe("chunks", () => {
  test("show the state of the first one, whatever is written in between", async () => {
    await fill(5);
    const first = await list("?limit=2");
    expect(names(first)).toEqual(["c0", "c1"]);
    expect(first.metadata.remainingItemCount).toBe(3);
    await server.request("DELETE", `${collection}/c3`);
    await server.create(collection, configMap("c22"));
    const second = await list(`?limit=2&continue=${first.metadata.continue}`);
    expect(names(second)).toEqual(["c2", "c3"]);
    const third = await list(`?limit=2&continue=${second.metadata.continue}`);
    expect(names(third)).toEqual(["c4"]);
    expect(third.metadata.continue).toBeUndefined();
    expect(new Set([first, second, third].map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
    expect(names(await list())).toEqual(["c0", "c1", "c2", "c22", "c4"]);
  });

  test("are full even when a selector excludes many objects", async () => {
    await fill(8);
    const first = await list("?limit=3&labelSelector=even=true");
    expect(names(first)).toEqual(["c0", "c2", "c4"]);
    expect(first.metadata.remainingItemCount).toBeUndefined();
    const rest = await list(`?limit=3&labelSelector=even=true&continue=${first.metadata.continue}`);
    expect(names(rest)).toEqual(["c6"]);
  });

  test("of a compacted revision get a 410 with a token for the rest", async () => {
    await fill(4);
    const first = await list("?limit=2");
    for (let index = 0; index < 100; index++) {
      const body = configMap("c0", { n: String(index) });
      await server.request("PUT", `${collection}/c0`, { body });
    }
    const answer = await server.request("GET", `${collection}?limit=2&continue=${first.metadata.continue}`);
    expect(answer.json()).toMatchObject({ code: 410, reason: "Expired" });
    expect(answer.json().message).toMatch(
      /^The provided continue parameter is too old to display a consistent list/,
    );
    const token = answer.json<{ metadata: { continue: string } }>().metadata.continue;
    expect(names(await list(`?limit=2&continue=${token}`))).toEqual(["c2", "c3"]);
  });

  test("cannot be continued in another namespace", async () => {
    await fill(3);
    const { metadata } = await list("?limit=1");
    const path = `/api/v1/namespaces/kube-system/configmaps?limit=1&continue=${metadata.continue}`;
    expect((await server.request("GET", path)).status).toBe(400);
  });
});

describe("resourceVersion", () => {
  test("Exact shows the past, NotOlderThan the present", async () => {
    await fill(2);
    const { metadata } = await list();
    await fill(0);
    await server.create(collection, configMap("later"));
    const at = metadata.resourceVersion;
    expect(names(await list(`?resourceVersion=${at}&resourceVersionMatch=Exact`))).toEqual(["c0", "c1"]);
    expect(names(await list(`?resourceVersion=${at}&resourceVersionMatch=NotOlderThan`))).toHaveLength(3);
    expect(names(await list("?resourceVersion=0"))).toHaveLength(3);
  });

  test("in the future is answered with a timeout and the current version", async () => {
    const answer = await server.request("GET", `${collection}?resourceVersion=999999`);
    expect(answer.status).toBe(504);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toMatchObject({ details: { causes: [{ reason: "ResourceVersionTooLarge" }] } });
  });
});

describe("representations", () => {
  test("list items of built-in kinds without a kind, sorted by namespace", async () => {
    await server.create("/api/v1/namespaces/kube-system/configmaps", configMap("b"));
    await server.create(collection, configMap("z"));
    const all = await list("", "/api/v1/configmaps");
    expect(all).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(all.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      "default/z",
      "kube-system/b",
    ]);
    expect(all.items[0]).not.toHaveProperty("kind");
  });

  test("list only metadata", async () => {
    await server.create(collection, configMap("a", { key: "secret" }));
    const { json, text } = await server.request("GET", collection, {
      headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
    });
    expect(json()).toMatchObject({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      items: [{ kind: "PartialObjectMetadata", metadata: { name: "a" } }],
    });
    expect(text).not.toContain("secret");
  });

  test("list a Table", async () => {
    await server.create(collection, configMap("a", { x: "1", y: "2" }));
    const { json } = await server.request("GET", collection, {
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1,application/json" },
    });
    expect(json()).toMatchObject({
      kind: "Table",
      columnDefinitions: [{ name: "Name" }, { name: "Data" }, { name: "Age" }],
      rows: [{ cells: ["a", 2, expect.stringMatching(/^\d+s$/)], object: { kind: "PartialObjectMetadata" } }],
    });
  });
});

test("list the same Events in both of their groups", async () => {
  await server.create("/api/v1/namespaces/default/events", {
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "p", namespace: "default" },
    reason: "Started",
    message: "it runs",
    type: "Normal",
    count: 2,
  });
  const newer = (await server.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events/e")).json();
  expect(newer).toMatchObject({
    apiVersion: "events.k8s.io/v1",
    regarding: { name: "p" },
    note: "it runs",
    deprecatedCount: 2,
  });
  const selected = await list("?fieldSelector=regarding.name=p", "/apis/events.k8s.io/v1/events");
  expect(names(selected)).toEqual(["e"]);
  expect(names(await list("?fieldSelector=involvedObject.name=other", "/api/v1/events"))).toEqual([]);
});
