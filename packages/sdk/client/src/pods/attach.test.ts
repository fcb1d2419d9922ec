import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ApiError } from "../errors.ts";
import { thrownBy } from "../kube-config/testing/listen.ts";
import { attach } from "./attach.ts";
import { channelClient } from "./testing/channel-server.ts";
import { startPodScene } from "./testing/pod-scene.ts";

const scene = await startPodScene();
const { client } = scene;

test("connects to the container's process, and ends when the process exits", async () => {
  const command = ["sh", "-c", "cat; echo end >&2"];
  const pod = await scene.run("cat", [{ command, stdin: true, stdinOnce: true }]);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  await attach(client, pod, { stdin: Readable.from(["hello ", "container"]), stdout, stderr });
  expect([await text(stdout.end()), await text(stderr.end())]).toEqual(["hello container", "end\n"]);
});

test("leaves the container running when its signal aborts", async () => {
  const pod = await scene.run("sleeper", [
    { command: ["sh", "-c", "while true; do echo tick; sleep 1; done"] },
  ]);
  const abort = new AbortController();
  const stdout = new PassThrough().once("data", () => abort.abort(new Error("enough")));
  expect((await thrownBy(attach(client, pod, { stdout, signal: abort.signal }))).message).toBe("enough");
  const again = new AbortController();
  const more = new PassThrough().once("data", () => again.abort(new Error("still there")));
  expect((await thrownBy(attach(client, pod, { stdout: more, signal: again.signal }))).message).toBe(
    "still there",
  );
});

test("throws the server's Status of a refusal, before and after the connection is open", async () => {
  const pod = { namespace: "default", name: "cat" };
  expect(await thrownBy(attach(client, pod, {}))).toMatchObject({
    ...{ name: "ApiError", code: 400 },
    message: "you must specify at least 1 of stdin, stdout, stderr",
  });
  const failing = await channelClient(({ socket, send }) => {
    send(3, '{"status":"Failure","message":"container has gone","reason":"InternalError","code":500}');
    socket.close(1000);
  });
  const error = await thrownBy(attach(failing, pod, { stdout: new PassThrough() }));
  expect(error).toBeInstanceOf(ApiError);
  expect([error.code, error.message]).toEqual([500, "container has gone"]);
});
