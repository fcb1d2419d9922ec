import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, KubeConfig, pods, splitLines } from "@operator-path/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RecordedServer, startRecordedServer } from "./recorded-server.ts";
import {
  firstEventVersion,
  listVersion,
  type ResourceName,
  readRecording,
  resources,
  writeRecording,
} from "./recording.ts";

const count = 23;
let folder: string;
let server: RecordedServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorded-"));
});
afterEach(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

async function start(resource: ResourceName) {
  const file = join(folder, resource);
  await writeRecording(file, resource, count);
  server = await startRecordedServer(await readRecording(file, resource, count));
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return { url: `http://127.0.0.1:${server.port}`, path: resources[resource].path, lines };
}

async function firstLines(url: string, number: number, onOpen?: () => Promise<unknown>): Promise<string[]> {
  const stop = new AbortController();
  const { body } = await fetch(url, { signal: stop.signal });
  await onOpen?.();
  const lines: string[] = [];
  for await (const line of splitLines(body as unknown as AsyncIterable<Uint8Array>)) {
    lines.push(Buffer.from(line).toString());
    if (lines.length === number) break;
  }
  stop.abort();
  return lines;
}

describe.each(["pods", "caches"] as const)("a recorded server of %s", (resource) => {
  test("lists the recording in pages", async () => {
    const { url, path, lines } = await start(resource);
    const items: unknown[] = [];
    let token = "";
    do {
      const answer = await fetch(`${url}${path}?limit=10&continue=${token}`.replace(/&continue=$/, ""));
      const page = (await answer.json()) as { metadata: Record<string, string>; items: object[] };
      items.push(...page.items);
      expect(page.metadata.resourceVersion).toBe(String(listVersion));
      token = page.metadata.continue ?? "";
    } while (token !== "");
    const { apiVersion, kind } = resources[resource];
    const isBuiltIn = resource === "pods";
    // Items of a built-in list carry no types.
    expect(items.map((item) => (isBuiltIn ? { kind, apiVersion, ...(item as object) } : item))).toEqual(
      lines.map((line) => JSON.parse(line)),
    );
    const whole = await (await fetch(url + path)).text();
    expect(whole.slice(0, 12)).toBe(isBuiltIn ? '{"kind":"Pod' : '{"apiVersion');
    expect(JSON.parse(whole).items).toHaveLength(count);
  });

  test("streams them as initial events, followed by a bookmark", async () => {
    const { url, path, lines } = await start(resource);
    const seen = await firstLines(`${url}${path}?watch=true&sendInitialEvents=true`, count + 1);
    expect(seen.slice(0, -1)).toEqual(lines.map((line) => `{"type":"ADDED","object":${line}}`));
    const bookmark = JSON.parse(seen.at(-1) ?? "");
    expect(bookmark.type).toBe("BOOKMARK");
    expect(bookmark.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });

  test("modifies every object in turn, with increasing versions", async () => {
    const { url, path, lines } = await start(resource);
    const seen = await firstLines(`${url}${path}?watch=true&resourceVersion=${listVersion}`, 3 * count, () =>
      fetch(`${url}/bench/events?count=${3 * count}`),
    );
    const events = seen.map((line) => JSON.parse(line));
    expect(events.map(({ object }) => Number(object.metadata.resourceVersion))).toEqual(
      Array.from({ length: 3 * count }, (_, index) => firstEventVersion + index),
    );
    const names = (objects: { metadata: { name: string } }[]) =>
      objects.map(({ metadata }) => metadata.name).sort();
    const recorded = names(lines.map((line) => JSON.parse(line)));
    for (let turn = 0; turn < 3; turn++) {
      expect(names(events.slice(turn * count, (turn + 1) * count).map(({ object }) => object))).toEqual(
        recorded,
      );
    }
  });
});

test("reports when a paced event was sent, on the clock that processes share", async () => {
  const { url, path } = await start("pods");
  const before = Number(process.hrtime.bigint()) / 1_000;
  await firstLines(`${url}${path}?watch=true`, 5, () => fetch(`${url}/bench/pace?count=5`));
  const sent = (await (await fetch(`${url}/bench/sent`)).json()) as number[];
  expect(sent).toHaveLength(5);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  expect(sent[0]).toBeGreaterThan(before);
  expect(sent[4]).toBeLessThan(Number(process.hrtime.bigint()) / 1_000);
});

test("our client reads the server's answers", async () => {
  const { url } = await start("pods");
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "bench", server: url, skipTLSVerify: true }, { name: "bench" });
  const client = createClient(kubeConfig);
  expect((await client.resource(pods).list()).items).toHaveLength(count);
  await client.close();
});
