import { KubeConfig } from "@operator-path/client";
import { expect, it } from "vitest";
import { kubeConfigText } from "./kube-config-text.ts";

const server = { name: "here", server: "https://127.0.0.1:1", skipTLSVerify: false };

it("names the file of a token as kubectl and helm read it", () => {
  const kubeConfig = new KubeConfig();
  const authProvider = { name: "tokenFile", config: { tokenFile: "/run/token" } };
  kubeConfig.loadFromClusterAndUser(server, { name: "in", authProvider });
  expect(JSON.parse(kubeConfigText(kubeConfig)).users).toEqual([
    { name: "in", user: { tokenFile: "/run/token" } },
  ]);
});

it("leaves everything else as it is", () => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(server, { name: "admin", token: "secret" });
  expect(JSON.parse(kubeConfigText(kubeConfig))).toEqual(JSON.parse(kubeConfig.exportConfig()));
});
