import { expect, test } from "vitest";
import { proxyVariables } from "./start-cluster.ts";

test("passes the proxy variables on, and excludes this machine", () => {
  expect(
    proxyVariables({ https_proxy: "http://proxy:3128", no_proxy: "10.0.0.0/8", HOME: "/home/me" }),
  ).toEqual({
    https_proxy: "http://proxy:3128",
    NO_PROXY: "10.0.0.0/8,localhost,127.0.0.1,::1",
    no_proxy: "10.0.0.0/8,localhost,127.0.0.1,::1",
  });
  expect(proxyVariables({ HOME: "/home/me", HTTP_PROXY: "" })).toEqual({});
});
