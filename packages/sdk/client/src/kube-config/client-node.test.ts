import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CoreV1Api, KubeConfig as Peer, Watch } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { KubeConfig } from "./kube-config.ts";
import { listenTls } from "./testing/listen.ts";

test("never loads client-node, which is 2.5 MB of an operator's bundle", async () => {
  const index = fileURLToPath(new URL("../index.ts", import.meta.url));
  const program = `
    const { registerHooks } = await import("node:module");
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith("@kubernetes/client-node")) throw new Error("client-node was loaded");
      return next(name, context);
    } });
    const { KubeConfig } = await import(${JSON.stringify(index)});
    const kubeConfig = new KubeConfig();
    async function ask(more) {
      kubeConfig.loadFromClusterAndUser({ name: "a", server: "https://a" }, { name: "a", ...more });
      await kubeConfig.applyToHTTPSOptions({}).then(() => console.log("asked"), ({ message }) => console.log(message));
    }
    await ask({ token: "t" });
    const answer = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: "t" } };
    const args = ["-e", "console.log(process.env.ANSWER)"];
    const env = [{ name: "ANSWER", value: JSON.stringify(answer) }];
    await ask({ exec: { ...answer, command: process.execPath, interactiveMode: "Never", args, env } });
    const config = { "client-id": "a", "idp-issuer-url": "http://is-refused.invalid", "refresh-token": "t" };
    await ask({ authProvider: { name: "oidc", config } });
  `;
  const args = ["--conditions=@operator-path/source", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^asked\nasked\n.* only requests to HTTPS are allowed; .*\n$/);
});

test("loads client-node's KubeConfig from ours for its Watch and API classes, which take no other", async () => {
  const seen: string[] = [];
  const { url, caData } = await listenTls((request, response) => {
    seen.push(`${request.url?.split("?")[0]} ${request.headers.authorization}`);
    const pod = { metadata: { name: "web" } };
    const isWatch = request.url?.includes("watch=true");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isWatch ? { type: "ADDED", object: pod } : { items: [pod] }));
  });
  const own = new KubeConfig();
  own.loadFromClusterAndUser({ name: "test", server: url, caData }, { name: "me", token: "t0ken" });

  const peer = new Peer();
  peer.loadFromOptions(own);
  const { items } = await peer.makeApiClient(CoreV1Api).listNamespacedPod({ namespace: "default" });
  const watched: string[] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const done = (error: unknown) => (error ? reject(error) : resolve());
  await new Watch(peer).watch(
    "/api/v1/pods",
    {},
    (type, { metadata }) => watched.push(`${type} ${metadata.name}`),
    done,
  );
  await ended;
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["web"]);
  expect(watched).toEqual(["ADDED web"]);
  expect(seen).toEqual(["/api/v1/namespaces/default/pods Bearer t0ken", "/api/v1/pods Bearer t0ken"]);

  // @ts-expect-error: Watch needs an agent of client-node's HTTP library, which is not our dependency.
  const watch = new Watch(own);
  await expect(watch.watch("/api/v1/pods", {}, () => {}, done)).rejects.toThrow(TypeError);
  expect("makeApiClient" in own).toBe(false);
});
