import { once } from "node:events";
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestPod } from "../../testing/container.ts";

async function start(args: string[] = []) {
  const pod = createTestPod();
  const container = await pod.start({ image: "memcached:1.6.39", args });
  return { ...pod, container, dial: () => pod.network.dial("localhost", 11_211) };
}

/**
 * Sends the pieces one after the other, and quits.
 * @returns the whole response
 */
async function talk(connection: Duplex, ...pieces: (string | Uint8Array)[]): Promise<string> {
  const chunks: Buffer[] = [];
  connection.on("data", (chunk: Buffer) => chunks.push(chunk));
  for (const piece of pieces) connection.write(piece);
  connection.write("quit\r\n");
  await once(connection, "end");
  return Buffer.concat(chunks).toString("latin1");
}

const long = "k".repeat(251);

test.each([
  ["set a 5 0 5\r\nhello\r\nget a\r\n", "STORED\r\nVALUE a 5 5\r\nhello\r\nEND\r\n"],
  ["set a 0 0 0\r\n\r\nget a\r\n", "STORED\r\nVALUE a 0 0\r\n\r\nEND\r\n"],
  ["get a b\r\n", "END\r\n"],
  ["get\r\n", "ERROR\r\n"],
  [
    "add a 0 0 1\r\n1\r\nadd a 0 0 1\r\n2\r\nget a\r\n",
    "STORED\r\nNOT_STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\n",
  ],
  ["replace a 0 0 1\r\n1\r\n", "NOT_STORED\r\n"],
  ["set a 0 0 1\r\n1\r\ndelete a\r\ndelete a\r\n", "STORED\r\nDELETED\r\nNOT_FOUND\r\n"],
  ["set a 0 0 1 noreply\r\n1\r\ndelete b noreply\r\nget a\r\n", "VALUE a 0 1\r\n1\r\nEND\r\n"],
  ["set a 0 0 1\r\n1\r\nflush_all\r\nget a\r\n", "STORED\r\nOK\r\nEND\r\n"],
  ["set a 0 -1 1\r\n1\r\nget a\r\n", "STORED\r\nEND\r\n"],
  ["incr a 1\r\nversion\r\n", "SERVER_ERROR incr is not simulated\r\nVERSION 1.6.39\r\n"],
  ["cas a 0 0 3 1\r\nget\r\n", "SERVER_ERROR cas is not simulated\r\n"],
  ["bogus\r\n\r\nGET a\r\n", "ERROR\r\nERROR\r\nERROR\r\n"],
  [`get ${long}\r\nset ${long} 0 0 1\r\n`, "CLIENT_ERROR bad command line format\r\n".repeat(2)],
  [
    "set a 0 0 -1\r\nset a x 0 1\r\nset a 0 0\r\n",
    `${"CLIENT_ERROR bad command line format\r\n".repeat(2)}ERROR\r\n`,
  ],
  ["set a 0 0 2\r\nhello\r\nversion\r\n", "CLIENT_ERROR bad data chunk\r\nVERSION 1.6.39\r\n"],
  ["stats settings\r\n", "SERVER_ERROR stats settings is not simulated\r\n"],
])("%j", async (sent, answer) => {
  const { dial } = await start();
  expect(await talk(await dial(), sent)).toBe(answer);
});

test("parses commands wherever their bytes are split", async () => {
  const { dial } = await start();
  const data = Buffer.from("a\r\nget x\r\n\0\xff", "latin1");
  const sent = Buffer.concat([
    Buffer.from(`set k 1 0 ${data.length}\r\n`),
    data,
    Buffer.from("\r\nget k\r\n"),
  ]);
  const answer = `STORED\r\nVALUE k 1 ${data.length}\r\n${data.toString("latin1")}\r\nEND\r\n`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(sent.length), { maxLength: 6 }), async (cuts) => {
      const points = [0, ...cuts.sort((a, b) => a - b), sent.length];
      const pieces = points.slice(1).map((end, i) => sent.subarray(points[i], end));
      expect(await talk(await dial(), ...pieces.filter((piece) => piece.length > 0))).toBe(answer);
    }),
    { numRuns: 50 },
  );
});

test("keeps an item until it expires", async () => {
  const { dial, clock } = await start();
  const at = Math.floor(clock.now() / 1000) + 3000;
  await talk(await dial(), `set a 0 10 1\r\n1\r\nset b 0 ${at} 1\r\n1\r\nset c 0 0 1\r\n1\r\n`);
  await clock.advance(9_999);
  expect(await talk(await dial(), "get a b c\r\n")).toContain("VALUE a");
  await clock.advance(1);
  expect(await talk(await dial(), "get a b c\r\n")).toBe("VALUE b 0 1\r\n1\r\nVALUE c 0 1\r\n1\r\nEND\r\n");
  await clock.advance(3_000_000);
  expect(await talk(await dial(), "get a b c\r\n")).toBe("VALUE c 0 1\r\n1\r\nEND\r\n");
});

test("evicts the least recently used item, and rejects an item that is too large", async () => {
  const { dial } = await start(["-m", "4"]);
  const item = (key: string, size: number) => `set ${key} 0 0 ${size}\r\n${"x".repeat(size)}\r\n`;
  await talk(
    await dial(),
    item("a", 1_000_000),
    item("b", 1_000_000),
    item("c", 1_000_000),
    item("d", 1_000_000),
  );
  await talk(await dial(), "get a\r\n", item("e", 1_000_000));
  const left = await talk(await dial(), "get a b c d e\r\n");
  expect([...left.matchAll(/VALUE (\w)/g)].map(([, key]) => key)).toEqual(["a", "c", "d", "e"]);
  expect(await talk(await dial(), "stats\r\n")).toMatch(/STAT curr_items 4\r\n[\s\S]*STAT evictions 1\r\n/);
  expect(await talk(await dial(), item("a", 1_048_576), "get a\r\n")).toBe(
    "SERVER_ERROR object too large for cache\r\nEND\r\n",
  );
});

test("counts commands, hits and misses", async () => {
  const { dial } = await start();
  await talk(await dial(), "set a 0 0 1\r\n1\r\nget a\r\nget b\r\ndelete b\r\n");
  const stats = await talk(await dial(), "stats\r\n");
  for (const line of ["cmd_get 2", "get_hits 1", "get_misses 1", "delete_misses 1", "curr_connections 1"])
    expect(stats).toContain(`STAT ${line}\r\n`);
  expect(stats).toContain("STAT total_connections 2\r\n");
});

test("closes connections when the process ends", async () => {
  const { dial, container } = await start();
  const first = await dial();
  first.write("version\r\n");
  await once(first, "data");
  await container.stop(1000);
  await once(first, "close");
  await expect(dial()).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("rejects invalid options", async () => {
  const { container } = await start(["-m", "x"]);
  expect((await container.exited).code).toBe(64);
});
