import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { isNotFound } from "../errors.ts";
import { kubeConfigOf, listen, listenTls, thrownBy } from "../kube-config/testing/listen.ts";
import { httpProxy, socksProxy } from "../kube-config/testing/proxies.ts";
import { logBytes, logs } from "./logs.ts";
import { isDone, startPodScene } from "./testing/pod-scene.ts";

const scene = await startPodScene();
const { client } = scene;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("the log of a container", () => {
  test("is read in lines or bytes, from its end, with times", async () => {
    const pod = await scene.run("three", [{ command: ["sh", "-c", "echo one; echo; printf three"] }], isDone);
    expect(await all(logs(client, pod))).toEqual(["one", "", "three"]);
    expect(Buffer.concat(await all(logBytes(client, pod))).toString()).toBe("one\n\nthree");
    expect(await all(logs(client, pod, { tailLines: 1 }))).toEqual(["three"]);
    expect((await all(logs(client, pod, { timestamps: true, limitBytes: 40 })))[0]).toMatch(
      /^\d{4}-\d\d-\d\dT.*Z one$/,
    );
  });

  test("continues with follow until the container exits", async () => {
    const pod = await scene.run("slow", [{ command: ["sh", "-c", "echo first; sleep 1; echo last"] }]);
    expect(await all(logs(client, { ...pod, container: "c0" }, { follow: true }))).toEqual(["first", "last"]);
  });

  test("ends with the loop and with its signal", async () => {
    const pod = await scene.run("endless", [{ command: ["sh", "-c", "echo up; sleep infinity"] }]);
    for await (const line of logs(client, pod, { follow: true })) {
      expect(line).toBe("up");
      break;
    }
    const abort = new AbortController();
    const following = (async () => {
      for await (const _ of logs(client, pod, { follow: true, signal: abort.signal }))
        abort.abort(new Error("enough"));
    })();
    expect((await thrownBy(following)).message).toBe("enough");
  });

  test("throws the server's Status of a refusal", async () => {
    const missing = await thrownBy(all(logs(client, { namespace: "default", name: "nope" })));
    expect(isNotFound(missing)).toBe(true);
    const pod = { namespace: "default", name: "three" };
    expect(await thrownBy(all(logs(client, pod, { previous: true })))).toMatchObject({ code: 400 });
  });
});

describe("a log on the wire", () => {
  const pod = { namespace: "default", name: "p", container: "main" };

  async function clientOf(listener: RequestListener) {
    const { url } = await listen(listener);
    return createClient(kubeConfigOf(url));
  }

  test("joins characters and lines that the network cuts, and yields an endless line in parts", async () => {
    const bytes = Buffer.from(`grüße\r\n${"x".repeat(1_200_000)}\n`);
    const cut = await clientOf(async (request, response) => {
      expect(request.url).toBe(
        "/api/v1/namespaces/default/pods/p/log?container=main&follow=true&sinceSeconds=60",
      );
      for (const part of [bytes.subarray(0, 3), bytes.subarray(3, 1_150_000), bytes.subarray(1_150_000)]) {
        await new Promise((resolve) => response.write(part, resolve));
      }
      response.end();
    });
    const lines = await all(logs(cut, pod, { follow: true, sinceSeconds: 60 }));
    expect(lines[0]).toBe("grüße\r");
    expect(lines.slice(1).join("")).toBe("x".repeat(1_200_000));
  });

  test("throws a RequestError when the connection breaks, after the lines that arrived", async () => {
    const broken = await clientOf((_, response) => {
      response.write("one\ntw", () => response.socket?.resetAndDestroy());
    });
    const lines: string[] = [];
    const reading = (async () => {
      for await (const line of logs(broken, pod, { follow: true })) lines.push(line);
    })();
    expect(await thrownBy(reading)).toMatchObject({ name: "RequestError", code: "ECONNRESET" });
    expect(lines).toEqual(["one"]);
  });

  test.skipIf(process.platform !== "linux").each([
    ["directly", undefined],
    ["through an HTTP proxy", httpProxy],
    ["through a SOCKS proxy", socksProxy],
  ])("%s is probed by TCP keep-alive after 30 s of silence", async (_, startProxy) => {
    const { url, caData } = await listenTls((_, response) => void response.write("one\n"));
    const kubeConfig = kubeConfigOf(url, { caData, skipTLSVerify: false });
    const proxy = await startProxy?.(Number(new URL(url).port));
    if (proxy) kubeConfig.clusters = kubeConfig.clusters.map((it) => ({ ...it, proxyUrl: proxy.url }));
    const client = createClient(kubeConfig);
    onTestFinished(() => client.close());
    for await (const line of logs(client, pod, { follow: true })) {
      expect(line).toBe("one");
      const timers = keepAliveTimers(Number(new URL(proxy?.url ?? url).port));
      expect(timers).not.toEqual([]);
      // Node's own default is 1 s, the kernel's is two hours.
      for (const seconds of timers) {
        expect(seconds).toBeGreaterThan(5);
        expect(seconds).toBeLessThanOrEqual(30);
      }
      break;
    }
  });
});

/**
 * Returns the seconds until the kernel probes the peer, for each connection to the port. The table contains
 * the connections of all processes, and those to an earlier server on the same port.
 */
function keepAliveTimers(port: number): number[] {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync("/proc/self/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , address, state]) => address === remote && state === "01")
    .map(([, , , , , timer = ""]) => {
      const [kind, hundredths = ""] = timer.split(":");
      return kind === "02" ? Number.parseInt(hundredths, 16) / 100 : 0;
    });
}
