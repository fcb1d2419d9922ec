import { once } from "node:events";
import { KubeConfig } from "@kubernetes/client-node";
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "./client.ts";
import { kubeConfigOf, listen, listenTls } from "./kube-config/testing/listen.ts";
import { httpProxy, socksProxy } from "./kube-config/testing/proxies.ts";
import { configMaps } from "./resources.ts";

afterEach(() => vi.unstubAllEnvs());

/** A server that nobody reaches but by way of a proxy; it answers with the tokens it was shown. */
async function startBehindProxy() {
  const seen: (string | undefined)[] = [];
  const { url, caData } = await listenTls((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{"items":[]}');
  });
  const kubeConfig = kubeConfigOf("https://apiserver.test:6443", { caData, skipTLSVerify: false });
  return { seen, port: Number(new URL(url).port), kubeConfig };
}

test.each([
  ["http", httpProxy],
  ["socks", socksProxy],
])("an %s proxy of the environment is gone through, with TLS to the server inside", async (_, start) => {
  const { seen, port, kubeConfig } = await startBehindProxy();
  const { url, asked } = await start(port);
  vi.stubEnv("HTTPS_PROXY", url);
  const client = createClient(kubeConfig);
  await client.resource(configMaps).list();
  await client.resource(configMaps).list();
  expect(asked).toEqual(["apiserver.test:6443"]);
  expect(seen).toEqual(["Bearer t0ken", "Bearer t0ken"]);
  await client.close();
});

test("a proxy that says another server is where the asked one was is noticed", async () => {
  const { port, kubeConfig, seen } = await startBehindProxy();
  const { url } = await httpProxy(port);
  vi.stubEnv("HTTPS_PROXY", url);
  const cluster = kubeConfig.getCurrentCluster();
  Object.assign(cluster ?? {}, { server: "https://elsewhere.test:6443" });
  const client = createClient(kubeConfig);
  await expect(client.resource(configMaps).list()).rejects.toThrow(/elsewhere\.test.*altnames/);
  expect(seen).toEqual([]);
  await client.close();
});

test("NO_PROXY is followed", async () => {
  const { port, kubeConfig } = await startBehindProxy();
  const { url, asked } = await httpProxy(port);
  vi.stubEnv("HTTPS_PROXY", url);
  vi.stubEnv("NO_PROXY", ".test");
  const client = createClient(kubeConfig);
  await expect(client.resource(configMaps).list()).rejects.toThrow("apiserver.test");
  expect(asked).toEqual([]);
  await client.close();
});

test("a proxy that refuses, and one that is not there, are named without their password", async () => {
  const shown: (string | undefined)[] = [];
  const { server, url } = await listen(() => {});
  server.on("connect", (request, socket) => {
    shown.push(request.headers["proxy-authorization"]);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const { port } = new URL(url);
  vi.stubEnv("HTTPS_PROXY", `http://me:hush@127.0.0.1:${port}`);
  const message = async () => {
    const client = createClient(kubeConfigOf("https://apiserver.test"));
    const error: Error = await client
      .resource(configMaps)
      .list()
      .catch((thrown) => thrown);
    await client.close();
    return error.message;
  };
  const request = "GET https://apiserver.test/api/v1/configmaps";
  const through = `(through the proxy 127.0.0.1:${port})`;
  expect(await message()).toBe(`${request}: Bad response: 407 ${through}`);
  expect(shown).toEqual([`Basic ${Buffer.from("me:hush").toString("base64")}`]);
  server.close();
  await once(server, "close");
  expect(await message()).toBe(`${request}: connect ECONNREFUSED 127.0.0.1:${port} ${through}`);
});

test("what is no proxy is refused where the client is made", () => {
  vi.stubEnv("HTTPS_PROXY", "ftp://proxy");
  expect(() => createClient(kubeConfigOf("https://apiserver.test"))).toThrow(
    "HTTPS_PROXY is no URL of a proxy",
  );
});

test("the proxy that the kubeconfig names is gone through on one kept connection until the client closes", async () => {
  const seen: (string | undefined)[] = [];
  const ends: Promise<unknown>[] = [];
  const { server, url: proxyUrl } = await listen((request, response) => {
    seen.push(request.url);
    response.end('{"items":[]}');
  });
  server.on("connect", (request, socket) => {
    seen.push(`tunnel to ${request.url}`);
    ends.push(once(socket, "close"));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.emit("connection", socket);
  });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "test", server: "http://apiserver.invalid", skipTLSVerify: true, proxyUrl },
    { name: "me" },
  );
  let cert = "first";
  const apply = kubeConfig.applyToHTTPSOptions.bind(kubeConfig);
  kubeConfig.applyToHTTPSOptions = async (options) => {
    await apply(options);
    Object.assign(options, { cert });
  };
  const client = createClient(kubeConfig);
  const list = () => client.resource(configMaps).list();
  await list();
  await list();
  const [tunnel, request] = ["tunnel to apiserver.invalid:80", "/api/v1/configmaps"];
  expect(seen).toEqual([tunnel, request, request]);
  cert = "second";
  await list();
  expect(seen).toEqual([tunnel, request, request, tunnel, request]);
  await client.close();
  await Promise.all(ends);
});
