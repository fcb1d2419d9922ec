import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServingCertificate } from "./certificates/authority.ts";
import { createClient } from "./client.ts";
import { isUnauthorized } from "./errors.ts";
import { KubeConfig as OwnKubeConfig } from "./kube-config/kube-config.ts";
import { kubeConfigOf, listen, listenTls, thrownBy } from "./kube-config/testing/listen.ts";
import { configMaps } from "./resources.ts";
import { createFakeClock } from "./testing/index.ts";

/** Returns a kubeconfig whose user has an exec plugin that runs this JavaScript. */
function withPlugin(program: string, cluster: { server: string; caData: string }): OwnKubeConfig {
  const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
  const kubeConfig = new OwnKubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "test", ...cluster },
    { name: "me", exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec } },
  );
  return kubeConfig;
}

describe("a request", () => {
  test("without credentials ends with its signal, with the client, or after credentialsTimeout", async () => {
    const clock = createFakeClock();
    const kubeConfig = kubeConfigOf((await listen((_, response) => response.end("{}"))).url);
    kubeConfig.applyToHTTPSOptions = () => new Promise(() => {});
    const client = createClient(kubeConfig, { clock });
    const ask = (signal?: AbortSignal) =>
      thrownBy(client.request({ method: "GET", path: "/version", ...(signal && { signal }) }));
    const reason = new Error("enough");
    expect(await ask(AbortSignal.abort(reason))).toBe(reason);
    const overdue = ask();
    await clock.advance(300_000);
    expect((await overdue).message).toMatch(
      /^GET http:.*\/version: no credentials within 300 s: is an exec plugin/,
    );
    const unfinished = thrownBy(client.stream({ method: "GET", path: "/version" }));
    await client.close();
    expect((await unfinished).message).toMatch(/^GET http:.*: the client was closed$/);
    expect(clock.pending()).toBe(0);
  });

  test("requests no credentials if its signal has aborted or its client is closed", async () => {
    const kubeConfig = kubeConfigOf((await listen((_, response) => response.end("{}"))).url);
    let asked = 0;
    kubeConfig.applyToHTTPSOptions = async () => void asked++;
    const client = createClient(kubeConfig);
    const reason = new Error("enough");
    const request = { method: "GET", path: "/version" };
    expect(await thrownBy(client.request({ ...request, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await thrownBy(client.stream({ ...request, signal: AbortSignal.abort(reason) }))).toBe(reason);
    await client.request(request);
    expect(asked).toBe(1);
    await client.close();
    expect((await thrownBy(client.request(request))).message).toMatch(/^GET http:.*: the client was closed$/);
    expect(asked).toBe(1);
  });

  test("uses new connections after the client certificate has changed", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await listen(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('{"items":[]}');
    });
    const kubeConfig = kubeConfigOf(url);
    let cert = "first";
    const apply = kubeConfig.applyToHTTPSOptions.bind(kubeConfig);
    kubeConfig.applyToHTTPSOptions = async (options) => {
      await apply(options);
      Object.assign(options, { cert: Buffer.from(cert) });
    };
    const client = createClient(kubeConfig);
    await client.resource(configMaps).list();
    await client.resource(configMaps).list();
    expect(ports.size).toBe(1);
    cert = "second";
    await client.resource(configMaps).list();
    expect(ports.size).toBe(2);
    await client.close();
  });

  test("fails after a 401, and the next one runs the exec plugin again", async () => {
    const seen: (string | undefined)[] = [];
    const { url, caData } = await listenTls(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(seen.length === 1 ? 401 : 200).end('{"items":[]}');
    });
    const program = `const answer = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: String(process.pid) } };
      console.log(JSON.stringify(answer))`;
    const client = createClient(withPlugin(program, { server: url, caData }));
    const list = () => client.resource(configMaps).list();
    expect(isUnauthorized(await thrownBy(list()))).toBe(true);
    await list();
    await list();
    expect(seen[1]).toMatch(/^Bearer \d+$/);
    expect(seen).toEqual([expect.not.stringMatching(`^${seen[1]}$`), seen[1], seen[1]]);
    await client.close();
  });

  test("sends an exec plugin's client certificate, and uses a new connection for a new certificate", async () => {
    const pairs = [1, 2].map(() => createServingCertificate(["me"], Date.now()));
    const folder = mkdtempSync(join(tmpdir(), "plugin-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "pairs");
    writeFileSync(file, JSON.stringify(pairs));
    const seen: { certificate: string; port: number | undefined }[] = [];
    const listener: RequestListener = ({ socket }, response) => {
      const certificate = (socket as TLSSocket).getPeerX509Certificate()?.toString() ?? "";
      seen.push({ certificate, port: socket.remotePort });
      response.writeHead(seen.length === 1 ? 401 : 200).end('{"items":[]}');
    };
    const { url, caData } = await listenTls(listener, { requestCert: true, rejectUnauthorized: false });
    const program = `const fs = require("node:fs");
      const [{ certificate, privateKey }, ...rest] = JSON.parse(fs.readFileSync(${JSON.stringify(file)}, "utf8"));
      fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(rest));
      const status = { clientCertificateData: certificate, clientKeyData: privateKey };
      console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status }))`;
    const client = createClient(withPlugin(program, { server: url, caData }));
    const list = () => client.resource(configMaps).list();
    expect(isUnauthorized(await thrownBy(list()))).toBe(true);
    await list();
    await list();
    expect(seen.map(({ certificate }) => certificate)).toEqual([
      pairs[0]?.certificate,
      pairs[1]?.certificate,
      pairs[1]?.certificate,
    ]);
    expect(new Set(seen.map(({ port }) => port)).size).toBe(2);
    await client.close();
  });

  test.each([
    ["ours", () => new OwnKubeConfig()],
    ["client-node's", () => new KubeConfig()],
  ])(
    "uses the credentials of the context that was current when its client was created: %s",
    async (_, create) => {
      const seen: (string | undefined)[] = [];
      const { url, caData } = await listenTls(({ headers }, response) => {
        seen.push(headers.authorization);
        response.writeHead(401).end(JSON.stringify({ kind: "Status", message: "Unauthorized" }));
      });
      const kubeConfig = create();
      kubeConfig.loadFromOptions({
        clusters: [
          { name: "prod", server: url, caData, skipTLSVerify: false },
          { name: "unverified", server: url, skipTLSVerify: false },
          { name: "dev", server: "https://dev.invalid", skipTLSVerify: true },
        ],
        users: ["prod", "dev"].map((name) => ({ name, token: `of-${name}` })),
        contexts: [
          { name: "prod", cluster: "prod", user: "prod" },
          { name: "unverified", cluster: "unverified", user: "prod" },
          { name: "dev", cluster: "dev", user: "dev" },
        ],
        currentContext: "prod",
      });
      const client = createClient(kubeConfig);
      kubeConfig.setCurrentContext("unverified");
      const unverified = createClient(kubeConfig);
      kubeConfig.setCurrentContext("dev");
      const error = await thrownBy(client.resource(configMaps).list());
      expect(error.message).toMatch(/the kubeconfig's user "prod"$/);
      expect((await thrownBy(unverified.resource(configMaps).list())).message).toContain("certificate");
      expect(seen).toEqual(["Bearer of-prod"]);
      await Promise.all([client.close(), unverified.close()]);
    },
  );

  test("impersonates the user, groups, uid and extra of the kubeconfig, or the user that it sets itself", async () => {
    const seen: Record<string, string[]>[] = [];
    const { url, caData } = await listenTls(({ headersDistinct }, response) => {
      const headers = Object.entries(headersDistinct).filter(([name]) => name.startsWith("impersonate-"));
      seen.push(Object.fromEntries(headers) as Record<string, string[]>);
      response.end("{}");
    });
    const kubeConfig = new OwnKubeConfig();
    const user = {
      ...{ as: "jürgen", "as-groups": ["admins", "ops, and more"], "as-uid": "7" },
      "as-user-extra": { scopes: ["view", "edit"], "example.com/team%": ["a"] },
    };
    kubeConfig.loadFromString(
      JSON.stringify({
        clusters: [{ name: "a", cluster: { server: url, "certificate-authority-data": caData } }],
        users: [{ name: "me", user }],
        contexts: [{ name: "a", context: { cluster: "a", user: "me" } }],
        "current-context": "a",
      }),
    );
    const again = new OwnKubeConfig();
    again.loadFromString(kubeConfig.exportConfig());
    for (const each of [kubeConfig, again]) {
      const client = createClient(each);
      await client.request({ method: "GET", path: "/version" });
      await client.request({ method: "GET", path: "/version", headers: { "impersonate-user": "jane" } });
      await client.close();
    }
    const asKubeConfig = {
      "impersonate-user": [Buffer.from("jürgen").toString("latin1")],
      "impersonate-group": ["admins", "ops, and more"],
      "impersonate-uid": ["7"],
      "impersonate-extra-scopes": ["view", "edit"],
      "impersonate-extra-example.com%2fteam%25": ["a"],
    };
    const asJane = { "impersonate-user": ["jane"] };
    expect(seen).toEqual([asKubeConfig, asJane, asKubeConfig, asJane]);
  });

  test("uses the credentials of a custom KubeConfig class", async () => {
    class Signed extends OwnKubeConfig {
      override async applyToHTTPSOptions(options: RequestOptions): Promise<void> {
        await super.applyToHTTPSOptions(options);
        options.headers = { ...(options.headers as object), signed: "yes" };
      }
    }
    const seen: unknown[] = [];
    const { url, caData } = await listenTls(({ headers }, response) => {
      seen.push([headers.authorization, headers.signed]);
      response.end("{}");
    });
    const kubeConfig = new Signed();
    kubeConfig.loadFromClusterAndUser({ name: "test", server: url, caData }, { name: "me", token: "t0ken" });
    const client = createClient(kubeConfig);
    await client.request({ method: "GET", path: "/version" });
    expect(seen).toEqual([["Bearer t0ken", "yes"]]);
    await client.close();
  });

  const secrets = {
    ...{ token: "secret", impersonateUser: "jane", username: "me", password: "secret" },
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: "is-not-run", interactiveMode: "Never" },
  };
  test.each([
    ["ours", () => new OwnKubeConfig(), secrets],
    ["ours, with a plugin", () => new OwnKubeConfig(), { exec: secrets.exec }],
    ["client-node's", () => new KubeConfig(), secrets],
    ["client-node's, with a plugin", () => new KubeConfig(), { exec: secrets.exec }],
  ])("sends no credentials over plain HTTP, and runs no plugin: %s", async (_, create, user) => {
    const seen: (string | undefined)[] = [];
    const { url } = await listen(({ headers }, response) => {
      seen.push(headers.authorization, headers["impersonate-user"] as string | undefined);
      response.writeHead(401).end(JSON.stringify({ kind: "Status", message: "Unauthorized" }));
    });
    const kubeConfig = create();
    // Like `kubectl proxy`. Without TLS, insecure-skip-tls-verify is not needed.
    const cluster = { name: "test", server: url, skipTLSVerify: false };
    kubeConfig.loadFromClusterAndUser(cluster, { name: "me", ...user });
    const client = createClient(kubeConfig);
    expect((await thrownBy(client.resource(configMaps).list())).message).toMatch(
      /Unauthorized: no credentials were sent, because the kubeconfig's context has no user or its server uses plain HTTP: set a user and an https:\/\/ server$/,
    );
    expect(seen).toEqual([undefined, undefined]);
    await client.close();
  });

  test("stops the exec plugin that it waits for when it is aborted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plugin-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "pid");
    const program = `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
    const { url, caData } = await listenTls(() => {});
    const kubeConfig = new OwnKubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: url, caData },
      { name: "me", exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec } },
    );
    const client = createClient(kubeConfig);
    const controller = new AbortController();
    const asked = thrownBy(client.request({ method: "GET", path: "/version", signal: controller.signal }));
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toMatch(/\d/);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await asked).toBe(reason);
    const isThere = () => {
      try {
        return process.kill(Number(readFileSync(file, "utf8")), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere).toBe(false);
    await client.close();
  });
});
