import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "./client.ts";
import { kubeConfigOf, listen, listenTls, thrownBy } from "./kube-config/testing/listen.ts";
import { httpProxy, silentProxy, socksProxy } from "./kube-config/testing/proxies.ts";
import { configMaps } from "./resources.ts";
import { createFakeClock } from "./testing/index.ts";

/** Starts a server that clients reach only through a proxy. It records the tokens that it receives. */
async function startBehindProxy(
  options: { server?: string; names?: readonly string[]; tlsServerName?: string } = {},
) {
  const seen: (string | undefined)[] = [];
  const { server = "https://apiserver.test:6443", names = ["apiserver.test"], tlsServerName } = options;
  const { url, caData } = await listenTls(
    (request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"items":[]}');
    },
    { names },
  );
  const cluster = { caData, skipTLSVerify: false, ...(tlsServerName && { tlsServerName }) };
  const list = async (environment: Record<string, string>) => {
    const client = createClient(kubeConfigOf(server, cluster), { environment });
    await client.resource(configMaps).list();
    await client.resource(configMaps).list();
    await client.close();
  };
  return { seen, port: Number(new URL(url).port), list };
}

const kinds = [
  ["http", httpProxy],
  ["socks", socksProxy],
] as const;

test.each(kinds)("goes through an %s proxy, with TLS to the server inside the tunnel", async (_, start) => {
  const { seen, port, list } = await startBehindProxy();
  const { url, requests } = await start(port);
  await list({ HTTPS_PROXY: url });
  expect(requests).toEqual(["apiserver.test:6443"]);
  expect(seen).toEqual(["Bearer t0ken", "Bearer t0ken"]);
});

describe.each(kinds)("through an %s proxy, the server's certificate is checked", (_, start) => {
  const byAddress = "https://10.1.2.3:6443";
  test.each([
    ["for its address", { server: byAddress, names: ["10.1.2.3"] }],
    ["for tls-server-name", { server: byAddress, names: ["api.test"], tlsServerName: "api.test" }],
  ])("%s", async (_, options) => {
    const { seen, port, list } = await startBehindProxy(options);
    const { url, requests } = await start(port);
    await list({ HTTPS_PROXY: url });
    expect(requests).toEqual(["10.1.2.3:6443"]);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ["another's name", { names: ["elsewhere.test"] }, /apiserver\.test.*altnames/],
    [
      "the name of this machine instead of the requested address",
      { server: byAddress, names: ["localhost"] },
      /10\.1\.2\.3/,
    ],
    ["the proxy's", { server: byAddress, names: ["127.0.0.1"] }, /10\.1\.2\.3/],
  ])("rejects a server certificate with %s", async (_, options, message) => {
    const { seen, port, list } = await startBehindProxy(options);
    const { url } = await start(port);
    const error: NodeJS.ErrnoException = await list({ HTTPS_PROXY: url }).catch((thrown) => thrown);
    expect(error.code).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(error.message).toMatch(message);
    expect(seen).toEqual([]);
  });
});

test("rejects an https proxy with a certificate from an unknown authority", async () => {
  const { list } = await startBehindProxy();
  const proxy = await listenTls(() => {});
  await expect(list({ HTTPS_PROXY: proxy.url })).rejects.toThrow(
    /verify the first certificate.*through the proxy 127/,
  );
});

test("requests an IPv6 address in brackets, through a proxy with an IPv6 address", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer().on("connect", (request, socket) => {
    asked.push(request.url, request.headers.host);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "::1"), "listening");
  const { port } = server.address() as AddressInfo;
  const environment = { HTTPS_PROXY: `http://[::1]:${port}` };
  const client = createClient(kubeConfigOf("https://[fd00::1]:6443"), { environment });
  await expect(client.resource(configMaps).list()).rejects.toThrow("answered 403 Forbidden");
  expect(asked).toEqual(["[fd00::1]:6443", "[fd00::1]:6443"]);
  await client.close();
});

// The SOCKS library has its own timeout of 30 s. These tests must not pass because of it.
describe.each(["http", "socks5"] as const)("a silent %s proxy", { timeout: 25_000 }, (scheme) => {
  const ask = async (signal?: AbortSignal) => {
    const proxy = await silentProxy(scheme);
    const clock = createFakeClock();
    const environment = { HTTPS_PROXY: proxy.url };
    const client = createClient(kubeConfigOf("https://apiserver.test"), { environment, clock });
    const error = thrownBy(client.resource(configMaps).list({ ...(signal && { signal }) }));
    await vi.waitFor(() => expect(proxy.requests).toHaveLength(1));
    return { proxy, clock, client, error };
  };

  test("is given up after one minute", async () => {
    const { proxy, clock, error, client } = await ask();
    await clock.advance(60_000);
    expect((await error).message).toMatch(
      /the proxy did not open a connection within 60 s \(through the proxy 127/,
    );
    await proxy.closed;
    expect(clock.pending()).toBe(0);
    await client.close();
  });

  test("delays neither an aborted request nor the end of the client", async () => {
    const leaving = new AbortController();
    const { proxy, error, client } = await ask(leaving.signal);
    leaving.abort(new Error("enough"));
    expect((await error).message).toBe("enough");
    const other = thrownBy(client.resource(configMaps).list());
    await vi.waitFor(() => expect(proxy.requests).toHaveLength(2));
    await client.close();
    expect((await other).message).toContain("the client was closed");
    await proxy.closed;
  });
});

test("respects NO_PROXY", async () => {
  const { port, list } = await startBehindProxy();
  const { url, requests } = await httpProxy(port);
  const error: Error = await list({ HTTPS_PROXY: url, NO_PROXY: ".test" }).catch((thrown) => thrown);
  expect(error.message).toMatch(
    /^GET https:\/\/apiserver\.test:6443\/api\/v1\/configmaps: getaddrinfo [^()]*$/,
  );
  expect(requests).toEqual([]);
});

test("names a refusing or unreachable proxy without its password", async () => {
  const shown: (string | undefined)[] = [];
  const { server, url } = await listen(() => {});
  server.on("connect", (request, socket) => {
    shown.push(request.headers["proxy-authorization"]);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const { port } = new URL(url);
  const environment = { HTTPS_PROXY: `http://me:hush@127.0.0.1:${port}` };
  const message = async () => {
    const client = createClient(kubeConfigOf("https://apiserver.test"), { environment });
    const error: Error = await client
      .resource(configMaps)
      .list()
      .catch((thrown) => thrown);
    await client.close();
    return error.message;
  };
  const request = "GET https://apiserver.test/api/v1/configmaps";
  const through = `(through the proxy 127.0.0.1:${port})`;
  expect(await message()).toBe(`${request}: the proxy answered 407 Proxy Authentication Required ${through}`);
  expect(shown).toEqual([`Basic ${Buffer.from("me:hush").toString("base64")}`]);
  server.close();
  await once(server, "close");
  expect(await message()).toBe(`${request}: connect ECONNREFUSED 127.0.0.1:${port} ${through}`);
});

test("rejects an invalid proxy URL when the client is created", () => {
  const environment = { HTTPS_PROXY: "ftp://proxy" };
  expect(() => createClient(kubeConfigOf("https://apiserver.test"), { environment })).toThrow(
    "HTTPS_PROXY is not a proxy URL",
  );
});

test("uses one kept-alive connection through the kubeconfig's proxy until the client closes", async () => {
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
