import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTestPod, openTerminal, run } from "../testing/container.ts";

describe("nc", () => {
  const shout = {
    accept(connection: Duplex) {
      connection.on("data", (chunk: Buffer) => connection.write(chunk.toString().toUpperCase()));
      connection.on("end", () => connection.end());
    },
  };

  it("sends its input and prints the answer", async () => {
    const pod = createTestPod();
    const box = await pod.start({ image: "busybox", command: ["sleep", "infinity"] });
    pod.network.listen(7, shout);
    expect(await run(box, ["sh", "-c", "printf 'hello\\n' | nc localhost 7"])).toEqual({
      exitCode: 0,
      stdout: "HELLO\n",
      stderr: "",
    });
    expect(await run(box, ["nc", "localhost", "7"], "by itself")).toMatchObject({ stdout: "BY ITSELF" });
    expect(await run(box, ["nc", "-zv", "localhost", "7"])).toMatchObject({
      exitCode: 0,
      stderr: "localhost (localhost:7) open\n",
    });
    expect(await run(box, ["nc", "localhost", "8"], "")).toMatchObject({
      exitCode: 1,
      stderr: "nc: can't connect to remote host (10.244.0.9): Connection refused\n",
    });
    expect(await run(box, ["nc", "unknown", "7"], "")).toMatchObject({
      stderr: "nc: bad address 'unknown'\n",
    });
  });

  it("sends each line at a terminal", async () => {
    const pod = createTestPod();
    const box = await pod.start({ image: "busybox", command: ["sleep", "infinity"] });
    pod.network.listen(7, shout);
    const terminal = await openTerminal(box, ["nc", "localhost", "7"]);
    terminal.type("one\r");
    await terminal.shows(/ONE/);
    terminal.type("two\r");
    await terminal.shows(/TWO/);
    terminal.type("\u0004");
    expect(await terminal.exited).toBe(0);
  });
});
