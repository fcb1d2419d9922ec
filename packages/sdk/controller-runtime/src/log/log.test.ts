import { ApiError } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createLogger, type LoggerOptions } from "./create-logger.ts";
import type { Logger } from "./logger.ts";

function start(options: LoggerOptions = {}) {
  let text = "";
  const destination = {
    write(more: string) {
      text += more;
    },
  };
  const log = createLogger({ destination, clock: createFakeClock(Date.UTC(2026, 0, 1)), ...options });
  return { log, text: () => text };
}

test("writes JSON lines with the fields of Go's operators", () => {
  const { log, text } = start();
  log.child({ logger: "controllers.Memcached", controller: "memcached" }).info({ size: 3 }, "Creating");
  log.debug("not seen");
  log.warn("beware");
  expect(text().split("\n")).toEqual([
    '{"level":"info","ts":"2026-01-01T00:00:00.000Z","logger":"controllers.Memcached","controller":"memcached","size":3,"msg":"Creating"}',
    '{"level":"warn","ts":"2026-01-01T00:00:00.000Z","msg":"beware"}',
    "",
  ]);
});

test("writes console lines with time, level, name, message, fields and stack", () => {
  const { log, text } = start({ format: "console", level: "debug" });
  log.child({ logger: "controllers.Memcached" }).info({ name: "sample" }, "Creating a Deployment");
  log.debug("quiet");
  const error = new Error("it broke");
  error.stack = "Error: it broke\n    at reconcile (operator.ts:7:3)\n    at work (controller.ts:1:1)";
  log.error({ error }, "Reconciler error");
  expect(text()).toBe(
    [
      '2026-01-01T00:00:00.000Z\tINFO\tcontrollers.Memcached\tCreating a Deployment\t{"name":"sample"}',
      "2026-01-01T00:00:00.000Z\tDEBUG\tquiet",
      '2026-01-01T00:00:00.000Z\tERROR\tReconciler error\t{"error":"it broke"}',
      "\tat reconcile (operator.ts:7:3)",
      "\tat work (controller.ts:1:1)",
      "",
    ].join("\n"),
  );
});

describe("an error that repeats", () => {
  function failing(format: "console" | "json") {
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    const { log, text } = start({ format, clock });
    let attempt = 0;
    const fail = (name = "a", message = "it broke") =>
      log
        .child({ logger: "controllers.Memcached", name, reconcileID: `id-${++attempt}`, cause: { attempt } })
        .error({ error: new Error(message) }, "Reconciler error");
    const lines = () => text().trim().split("\n");
    return { clock, fail, lines, heads: () => lines().filter((line) => !line.startsWith("\t")) };
  }

  test("has its stack once on the console, and then the count", async () => {
    const { clock, fail, lines, heads } = failing("console");
    for (let i = 0; i < 12; i++) {
      fail();
      await clock.advance(1_000);
    }
    expect(lines().filter((line) => line.startsWith("\tat "))).not.toEqual([]);
    expect(heads()).toEqual([
      expect.stringContaining('\tReconciler error\t{"name":"a","reconcileID":"id-1"'),
      expect.stringContaining(
        '2026-01-01T00:00:10.000Z\tERROR\tcontrollers.Memcached\tReconciler error: the same error 10 times in 10 s\t{"name":"a"',
      ),
    ]);
    expect(lines().at(-1)).toBe(heads()[1]);
    await clock.advance(19_000);
    fail();
    expect(heads()[2]).toContain("the same error 2 times in 21 s");
    await clock.advance(20_000);
    fail();
    expect(heads()[3]).toContain("the same error once more in 20 s");
  });

  test("is another one for another object and another message", () => {
    const { fail, heads } = failing("console");
    for (const name of ["a", "b", "a"]) fail(name);
    fail("a", "it broke elsewhere");
    expect(heads()).toHaveLength(3);
  });

  test("has its stack again after a minute without it", async () => {
    const { clock, fail, lines, heads } = failing("console");
    fail();
    const first = lines().length;
    await clock.advance(60_000);
    fail();
    expect(heads()).toHaveLength(2);
    expect(lines().length).toBeGreaterThan(first + 1);
  });

  test("may be a warning, such as an informer that tries again", () => {
    const { log, text } = start({ format: "console" });
    for (let i = 0; i < 3; i++) log.warn("informer of pods: connection refused; trying again");
    for (let i = 0; i < 3; i++) log.info("scaled the Deployment");
    expect(text().match(/trying again/g)).toHaveLength(1);
    expect(text().match(/scaled/g)).toHaveLength(3);
  });

  test("is complete in JSON", () => {
    const { fail, lines } = failing("json");
    for (let i = 0; i < 5; i++) fail();
    expect(lines().map((line) => typeof JSON.parse(line).stacktrace)).toEqual(Array(5).fill("string"));
  });
});

test("uses the console format on a terminal, otherwise JSON", () => {
  for (const [isTTY, begin] of [
    [true, "2026"],
    [false, "{"],
  ] as const) {
    let text = "";
    const destination = {
      isTTY,
      write(more: string) {
        text += more;
      },
    };
    createLogger({ destination, clock: createFakeClock() }).info("hello");
    expect(text.startsWith(begin)).toBe(true);
  }
});

test("logs the causes of an error, and no stack for a server's error", () => {
  const { log, text } = start();
  const refusal = new ApiError({ code: 404, reason: "NotFound", message: 'pods "a" not found' });
  log.error({ error: new Error("looking for it", { cause: refusal }) }, "failed");
  log.error({ error: new Error("wrapped: inner", { cause: new Error("inner") }) }, "failed");
  log.error({ error: "a string" }, "failed");
  const lines = text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0].error).toBe('looking for it: pods "a" not found');
  expect(lines[0]).not.toHaveProperty("stacktrace");
  expect(lines[1].error).toBe("wrapped: inner");
  expect(lines[1].stacktrace).toMatch(/^at .*log\.test\.ts/);
  expect(lines[2].error).toBe("a string");
});

test("accepts an Error instead of fields", () => {
  const { log, text } = start();
  const refusal = new ApiError({ code: 404, reason: "NotFound", message: 'pods "a" not found' });
  log.error(refusal);
  log.error(new Error("broken", { cause: refusal }), "Reconciler error");
  const [one, two] = text().trim().split("\n");
  const ts = "2026-01-01T00:00:00.000Z";
  expect(JSON.parse(one ?? "")).toEqual({ level: "error", ts, error: refusal.message, msg: refusal.message });
  expect(JSON.parse(two ?? "")).toEqual({
    ...{ level: "error", ts, error: 'broken: pods "a" not found', msg: "Reconciler error" },
  });
});

test("logs all errors of an AggregateError", () => {
  const { log, text } = start();
  const several = new AggregateError([new Error("one"), new AggregateError([new Error("two")])]);
  log.error({ error: several }, "failed");
  log.error({ error: new AggregateError([new Error("one")], "two of two") }, "failed");
  const errors = text().trim().split("\n");
  expect(errors.map((line) => JSON.parse(line).error)).toEqual(["[one, two]", "two of two: one"]);
});

test("accepts any pino logger", () => {
  const lines: string[] = [];
  const log: Logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  log.child({ controller: "a" }).info({ b: 1 }, "c");
  expect(lines).toEqual(['{"level":30,"controller":"a","b":1,"msg":"c"}\n']);
});
