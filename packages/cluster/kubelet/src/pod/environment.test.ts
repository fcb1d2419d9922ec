import { expect, it } from "vitest";
import { serviceEnvironment } from "./environment.ts";

const service = (namespace: string, name: string, clusterIP: string) => ({
  metadata: { namespace, name },
  spec: { clusterIP, ports: [{ name: "http", port: 80, protocol: "TCP" }] },
});
const all = [
  service("default", "kubernetes", "10.96.0.1"),
  service("shop", "my-web", "10.96.0.7"),
  service("other", "x", "10.96.0.8"),
  service("shop", "headless", "None"),
];

it("contains the Services of the Pod's namespace, and the API server's", () => {
  const env = serviceEnvironment({ metadata: { namespace: "shop" } }, all);
  expect(env).toMatchObject({
    KUBERNETES_SERVICE_HOST: "10.96.0.1",
    MY_WEB_SERVICE_HOST: "10.96.0.7",
    MY_WEB_SERVICE_PORT: "80",
    MY_WEB_SERVICE_PORT_HTTP: "80",
    MY_WEB_PORT: "tcp://10.96.0.7:80",
    MY_WEB_PORT_80_TCP_ADDR: "10.96.0.7",
  });
  expect(Object.keys(env).filter((name) => /^(X|HEADLESS)_/.test(name))).toEqual([]);
});

it("contains only the API server's Service when service links are off", () => {
  const env = serviceEnvironment(
    { metadata: { namespace: "shop" }, spec: { containers: [], enableServiceLinks: false } },
    all,
  );
  expect(Object.keys(env).every((name) => name.startsWith("KUBERNETES_"))).toBe(true);
});
