import { spawn } from "node:child_process";
import { once } from "node:events";
import { get as httpGet } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startMetrics } from "./testing/metrics-bench.ts";
import { scrape } from "./testing/scrape.ts";

const paths = ["/debug/pprof/profile", "/debug/pprof/allocs", "/debug/pprof/heap"];

/** Returns the URL of a process to profile. */
async function startProfiled(): Promise<string> {
  const program = join(import.meta.dirname, "testing/profiled-process.ts");
  const child = spawn(process.execPath, ["--conditions=@operator-path/source", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(child.stdout, "data");
  return `http://127.0.0.1:${String(port).trim()}`;
}

/** Returns the profile of a process that does this in the meantime. */
async function profileOf(path: string, work: string) {
  const url = await startProfiled();
  let isOver = false;
  const answer = scrape(`${url}${path}?seconds=1`).finally(() => {
    isOver = true;
  });
  while (!isOver) await scrape(`${url}${work}`);
  return answer;
}

test.each(paths)("serves %s to authorized clients, and only if enabled", async (path) => {
  const { get, tokenOf, allow } = await startMetrics({ profiling: true });
  const engineer = await tokenOf("engineer");
  await allow("engineer", "/debug/pprof/*");
  expect((await get(undefined, path)).status).toBe(401);
  expect((await get(await tokenOf("stranger"), path)).status).toBe(403);
  // Admitted: the answer concerns the query.
  const asked = path.endsWith("heap") ? `${path}?seconds=1` : `${path}?seconds=never`;
  expect((await get(engineer, asked)).status).toBe(400);
  expect((await get(engineer, `${path}/x`)).status).toBe(404);
  const without = await startMetrics();
  expect((await without.get(undefined, path)).status).toBe(404);
});

test("a CPU profile shows the busy function", async () => {
  const { status, headers, body } = await profileOf("/debug/pprof/profile", "/burn");
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toBe('attachment; filename="operator.cpuprofile"');
  const { nodes, samples } = JSON.parse(body) as {
    nodes: { id: number; callFrame: { functionName: string } }[];
    samples: number[];
  };
  const busy = nodes.filter(({ callFrame }) => callFrame.functionName === "burnForTheProfile");
  const ids = new Set(busy.map(({ id }) => id));
  expect(samples.filter((id) => ids.has(id)).length).toBeGreaterThan(10);
});

test("an allocation profile shows what allocated the remaining memory", async () => {
  const { status, headers, body } = await profileOf("/debug/pprof/allocs", "/keep");
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toBe('attachment; filename="operator.heapprofile"');
  expect(body).toContain('"functionName":"keepForTheProfile"');
});

test("a heap snapshot contains every object of the process", async () => {
  const url = await startProfiled();
  await scrape(`${url}/keep`);
  const { status, headers, body } = await scrape(`${url}/debug/pprof/heap`);
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toBe('attachment; filename="operator.heapsnapshot"');
  expect(body.startsWith('{"snapshot":{"meta":')).toBe(true);
  expect(body.trimEnd().endsWith("]}")).toBe(true);
  expect(body).toContain('"FoundInTheSnapshot"');
});

test("takes one profile at a time, and ends it when its client disconnects", async () => {
  const url = await startProfiled();
  const left = httpGet(`${url}/debug/pprof/profile?seconds=300`).on("error", () => {});
  const askNext = () => scrape(`${url}/debug/pprof/allocs?seconds=0.01`);
  await vi.waitFor(
    async () =>
      expect(await askNext()).toMatchObject({
        status: 409,
        body: "a CPU profile is already being taken: try again when it has ended\n",
      }),
    { timeout: 120_000 },
  );
  left.destroy();
  await vi.waitFor(async () => expect((await askNext()).status).toBe(200));
});

test.each(["0", "-1", "301", "x", ""])("rejects seconds=%s", async (seconds) => {
  const { get, tokenOf, allow } = await startMetrics({ profiling: true });
  const engineer = await tokenOf("engineer");
  await allow("engineer", "/debug/pprof/*");
  expect(await get(engineer, `/debug/pprof/profile?seconds=${seconds}`)).toMatchObject({
    status: 400,
    body: "seconds: set a number above 0, up to 300\n",
  });
});
