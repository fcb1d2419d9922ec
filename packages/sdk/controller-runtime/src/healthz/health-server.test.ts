import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestManager } from "../controller/testing/test-manager.ts";

async function start() {
  const test = createTestManager({ healthProbeBindAddress: "127.0.0.1:0" });
  const broken: { error?: Error } = {};
  test.manager.addHealthzCheck("disk", async () => {
    if (broken.error) throw broken.error;
  });
  test.manager.addReadyzCheck("webhook", () => {});
  const { stop, ended } = test.run();
  await vi.waitFor(() => expect(test.manager.healthProbeAddress()).toBeDefined());
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(`http://${test.manager.healthProbeAddress()}${path}`, { method });
    return [response.status, await response.text()];
  };
  return { ...test, ask, broken, stop, ended };
}

test("answers as kube-apiserver does", async () => {
  const { ask, broken, lines, stop, ended } = await start();
  expect(await ask("/healthz")).toEqual([200, "ok"]);
  expect(await ask("/healthz?verbose")).toEqual([200, "[+]disk ok\nhealthz check passed\n"]);
  expect(await ask("/readyz?verbose")).toEqual([200, "[+]cache ok\n[+]webhook ok\nhealthz check passed\n"]);
  expect(await ask("/healthz/disk")).toEqual([200, "ok"]);
  expect(await ask("/healthz/nothing")).toEqual([404, "404 page not found\n"]);
  expect(await ask("/metrics")).toEqual([404, "404 page not found\n"]);
  expect(await ask("/healthz", "POST")).toEqual([405, "only GET and HEAD are allowed\n"]);
  expect(await ask("/healthz/%ff")).toEqual([400, "400 bad request\n"]);
  broken.error = new Error("the disk is full");
  expect(await ask("/healthz")).toEqual([500, "[-]disk failed: reason withheld\nhealthz check failed\n"]);
  expect(await ask("/healthz/disk")).toEqual([500, "internal server error: the disk is full\n"]);
  expect(await ask("/healthz?exclude=disk&exclude=x&verbose")).toEqual([
    200,
    '[+]disk excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nhealthz check passed\n',
  ]);
  expect(lines("healthz check failed")[0]).toMatchObject({ check: "disk", error: "the disk is full" });
  expect(lines("healthz check failed")[0]).not.toHaveProperty("stacktrace");
  stop();
  await ended;
});

test("a check that never returns does not block the manager's shutdown", async () => {
  const { manager, clock, ask, stop, ended } = await start();
  const called = Promise.withResolvers<void>();
  manager.addHealthzCheck("stuck", () => {
    called.resolve();
    return new Promise(() => {});
  });
  const asked = ask("/healthz/stuck").catch(() => "no answer");
  await called.promise;
  stop();
  await vi.waitFor(() => expect(manager.healthProbeAddress()).toBeUndefined());
  await clock.advance(5_000);
  await ended;
  expect(await asked).toBe("no answer");
});

test("rejects a second check of the same name", async () => {
  const { manager } = await start();
  expect(() => manager.addHealthzCheck("disk", () => {})).toThrow(
    "a healthz check named disk already exists",
  );
});

test("reports an invalid or used port, and the solution", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const { run } = createTestManager({ healthProbeBindAddress: `127.0.0.1:${port}` });
  await expect(run().ended).rejects.toThrow(
    `the health probe server cannot listen on 127.0.0.1:${port}: listen EADDRINUSE`,
  );
  for (const healthProbeBindAddress of ["8081", ":99999", "http://x:1", "1"]) {
    expect(() => createTestManager({ healthProbeBindAddress })).toThrow(
      `healthProbeBindAddress is "${healthProbeBindAddress}": use ":8081"`,
    );
  }
});
