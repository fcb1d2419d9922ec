import { expect, test } from "vitest";
import { createTestPod, run } from "../testing/container.ts";

test("nc checks whether a port is open, and says what it does not simulate", async () => {
  const pod = createTestPod();
  const box = await pod.start({ image: "busybox", command: ["sleep", "infinity"] });
  pod.network.listen(7, { accept() {} });
  expect(await run(box, ["nc", "-z", "localhost", "7"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(await run(box, ["sh", "-c", "nc -zv -w 2 localhost 7"])).toMatchObject({
    exitCode: 0,
    stderr: "localhost (localhost:7) open\n",
  });
  expect(await run(box, ["nc", "-z", "localhost", "8"])).toMatchObject({
    exitCode: 1,
    stderr: "nc: can't connect to remote host (10.244.0.9): Connection refused\n",
  });
  expect(await run(box, ["nc", "-z", "unknown", "7"])).toMatchObject({
    stderr: "nc: bad address 'unknown'\n",
  });
  expect(await run(box, ["nc", "localhost", "7"], "data")).toMatchObject({
    exitCode: 1,
    stderr: "nc: only nc -z [-v] [-w SEC] HOST PORT is simulated\n",
  });
});
