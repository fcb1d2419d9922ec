import { expect, onTestFinished, test } from "vitest";
import { configMap, event, sendList, startPlainServer } from "./testing/plain-server.ts";
import { runProgram } from "./testing/run-program.ts";

async function startServer() {
  const server = await startPlainServer(({ verb }, response) => {
    if (verb === "list") return sendList(response, 1);
    response.write(event("ADDED", configMap("a", 2)));
    response.write(event("ADDED", configMap("b", 3)));
  });
  onTestFinished(() => server.close());
  return server;
}

test.each(["throws", "rejects"])("defect 2: a handler that %s does not stop our informer", async (how) => {
  const server = await startServer();
  const { exitCode, output } = await runProgram("throws-on-ours.ts", server.url, how);
  expect(output).toContain("seen: b");
  expect(output).toContain("a handler of configmaps failed: Error: the handler fails");
  expect(exitCode).toBe(0);
});

test("defect 2: a handler that throws ends a program on client-node's informer", async () => {
  const server = await startServer();
  const { exitCode, output } = await runProgram("throws-on-client-node.ts", server.url);
  expect(output).toContain("seen: a");
  const mended = "client-node has mended this: a handler that throws no longer ends the program";
  expect(exitCode, mended).toBe(1);
  expect(output).toContain("the handler fails");
});
