import { expect, test } from "vitest";
import { environmentProxy, matchesNoProxy, proxyOf } from "./proxy.ts";

const away = new URL("https://api.example.com:6443");
const [proxy, other] = ["http://proxy:3128", "socks5://other:1080"];

test.each([
  ["HTTPS_PROXY", away, { HTTPS_PROXY: proxy, HTTP_PROXY: other }, proxy],
  ["https_proxy", away, { https_proxy: proxy }, proxy],
  ["the upper case before the lower case", away, { HTTPS_PROXY: proxy, https_proxy: other }, proxy],
  [
    "HTTP_PROXY for plain HTTP",
    new URL("http://api.example.com"),
    { HTTPS_PROXY: proxy, HTTP_PROXY: other },
    other,
  ],
  ["a host and port without a scheme", away, { HTTPS_PROXY: "proxy:3128" }, proxy],
  ["a scheme in upper case after a blank", away, { HTTPS_PROXY: " SOCKS5://other:1080" }, other],
  [
    "a password that contains a scheme",
    away,
    { HTTPS_PROXY: "me:a%3A%2F%2Fb@proxy:3128" },
    "http://me:a%3A%2F%2Fb@proxy:3128",
  ],
  ["none for a server in NO_PROXY", away, { HTTPS_PROXY: proxy, NO_PROXY: "example.com" }, undefined],
  ["none for a server in no_proxy", away, { HTTPS_PROXY: proxy, no_proxy: "example.com" }, undefined],
  ["none for an empty variable", away, { HTTPS_PROXY: "" }, undefined],
  ["none for localhost", new URL("https://localhost:6443"), { HTTPS_PROXY: proxy }, undefined],
  ["none for 127.0.0.1", new URL("https://127.0.0.1:6443"), { HTTPS_PROXY: proxy }, undefined],
  ["none for ::1", new URL("https://[::1]:6443"), { HTTPS_PROXY: proxy }, undefined],
  [
    "none for 127.0.0.1 as an IPv6 address",
    new URL("https://[::ffff:127.0.0.1]"),
    { HTTPS_PROXY: proxy },
    undefined,
  ],
])("uses the environment's proxy: %s", (_, server, environment, expected) => {
  expect(environmentProxy(server, environment)?.href).toBe(expected && new URL(expected).href);
});

test("prefers proxy-url of the kubeconfig to the environment, even if NO_PROXY matches the server", () => {
  const cluster = { name: "prod", server: away.href, skipTLSVerify: false };
  const environment = { HTTPS_PROXY: proxy, NO_PROXY: "*" };
  expect(proxyOf({ ...cluster, proxyUrl: other }, environment)?.href).toBe(other);
  expect(proxyOf(cluster, { HTTPS_PROXY: proxy })?.host).toBe("proxy:3128");
});

test("rejects an invalid proxy URL without showing it", () => {
  const cluster = { name: "prod", server: away.href, skipTLSVerify: false };
  const way =
    "is not a proxy URL (expected one like http://proxy:3128 or socks5://proxy:1080; in a password, write % as %25)";
  const refusal = (proxyUrl: string | undefined, environment = {}) => {
    try {
      return proxyOf({ ...cluster, ...(proxyUrl && { proxyUrl }) }, environment)?.href;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const inFile = `the kubeconfig's cluster "prod" has a proxy-url that ${way}`;
  expect(refusal("ftp://me:hush@proxy")).toBe(inFile);
  expect(refusal("proxy:3128")).toBe(inFile);
  expect(refusal("http://me:100%@proxy")).toBe(inFile);
  expect(refusal(undefined, { HTTPS_PROXY: "http://me:hush@" })).toBe(`HTTPS_PROXY ${way}`);
});

test.each([
  ["*", "https://anything.example"],
  ["api.example.com", "https://api.example.com:6443"],
  ["example.com", "https://api.example.com"],
  [".example.com", "https://api.example.com"],
  ["*.example.com", "https://api.example.com"],
  ["example.com", "https://API.Example.com."],
  [" other , EXAMPLE.com ", "https://example.com"],
  ["example.com:443", "https://example.com"],
  ["example.com:80", "http://example.com"],
  ["10.96.0.1", "https://10.96.0.1"],
  ["10.96.0.1:6443", "https://10.96.0.1:6443"],
  ["10.0.0.0/8", "https://10.96.0.1"],
  ["10.96.0.7/24", "https://10.96.0.1"],
  ["::1", "https://[::1]"],
  ["example.com:", "https://api.example.com"],
  ["10.96.0.1:", "https://10.96.0.1:6443"],
  ["example.com.", "https://api.example.com"],
  ["bücher.example", "https://api.bücher.example"],
  ["[fd00::1]:6443", "https://[fd00::1]:6443"],
  ["fd00::/8", "https://[fd00::1]"],
])("NO_PROXY=%s matches %s", (list, server) => {
  expect(matchesNoProxy(list, new URL(server))).toBe(true);
});

test.each([
  ["", "https://example.com"],
  [",", "https://example.com"],
  [".", "https://example.com"],
  [":443", "https://example.com"],
  ["api.example.com", "https://example.com"],
  [".example.com", "https://example.com"],
  ["*.example.com", "https://example.com"],
  ["example.com", "https://badexample.com"],
  ["example.com:80", "https://example.com"],
  ["10.96.0.1", "https://10.96.0.10"],
  ["10.0.0.0/8", "https://11.0.0.1"],
  ["10.0.0.0/8", "https://10.example.com"],
  ["0.1", "https://10.96.0.1"],
  [".0.1", "https://10.96.0.1"],
  ["::/0", "https://10.0.0.1"],
  ["10.0.0.0/33", "https://10.0.0.1"],
  ["10.0.0.0/", "https://10.0.0.1"],
  ["fd00::/8", "https://10.0.0.1"],
  ["10.0.0.0/8", "https://[fd00::1]"],
])("NO_PROXY=%s does not match %s", (list, server) => {
  expect(matchesNoProxy(list, new URL(server))).toBe(false);
});
