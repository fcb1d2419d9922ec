import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFakeClock } from "../testing/index.ts";
import { CredentialsError } from "./credential.ts";
import { createOidcProvider } from "./oidc.ts";
import { listenTls } from "./testing/listen.ts";
import { httpProxy } from "./testing/proxies.ts";

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: object) => `${encode({ alg: "RS256" })}.${encode(claims)}.c2ln`;

/**
 * Starts an issuer that accepts one refresh token at a time. `answer` replaces its answer, `status` its
 * status. `path` is the path of its issuer URL, `host` the host name.
 */
async function startIssuer(
  options: {
    metadata?: object;
    answer?: (tokens: object) => object | string;
    status?: number;
    host?: string;
    path?: string;
  } = {},
) {
  const requests: { authorization: string | undefined; body: Record<string, string> }[] = [];
  let refreshToken = "refresh-0";
  const { host = "127.0.0.1" } = options;
  const listener: RequestListener = async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === `${options.path?.replace(/\/$/, "") ?? ""}/.well-known/openid-configuration`) {
      return response.end(JSON.stringify({ issuer, token_endpoint: `${url}/token`, ...options.metadata }));
    }
    const body = Object.fromEntries(new URLSearchParams(await text(request)));
    requests.push({ authorization: request.headers.authorization, body });
    if (body.refresh_token !== refreshToken) {
      return response.writeHead(400).end('{"error":"invalid_grant","error_description":"it has expired"}');
    }
    refreshToken = `refresh-${requests.length}`;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: "kubectl", sub: `me-${requests.length}`, iat: now, exp: now + 3600 };
    const tokens = {
      access_token: "a",
      token_type: "bearer",
      id_token: jwt(claims),
      refresh_token: refreshToken,
    };
    const answer = options.answer?.(tokens) ?? tokens;
    response
      .writeHead(options.status ?? 200)
      .end(typeof answer === "string" ? answer : JSON.stringify(answer));
  };
  const { url: byAddress, caData } = await listenTls(listener, { names: [host] });
  const url = byAddress.replace("127.0.0.1", host);
  const issuer = `${url}${options.path ?? ""}`;
  const config = {
    ...{ "idp-issuer-url": issuer, "client-id": "kubectl", "refresh-token": "refresh-0" },
    "idp-certificate-authority-data": caData,
  };
  return { requests, config };
}

/** Returns `sub` of the token. */
async function subjectOf(result: unknown): Promise<string> {
  const { token = "" } = (await result) as { token?: string };
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
}

const errorOf = async (result: unknown): Promise<string> => {
  const error: unknown = await Promise.resolve(result).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CredentialsError);
  return (error as Error).message;
};

const startingNow = () => createFakeClock(Date.now());

test("uses an id-token until ten seconds before its expiry, then refreshes it once for all concurrent calls", async () => {
  const { requests, config } = await startIssuer();
  const clock = startingNow();
  const own = jwt({ sub: "own", exp: Math.floor(clock.now() / 1000) + 60 });
  const provider = createOidcProvider("me", { ...config, "id-token": own }, { clock });
  expect(provider.get()).toEqual({ token: own });
  await clock.advance(50_000);
  expect(await Promise.all([provider.get(), provider.get()].map(subjectOf))).toEqual(["me-1", "me-1"]);
  await clock.advance(3_600_000);
  // An issuer may accept each refresh token only once.
  expect(await subjectOf(provider.get())).toBe("me-2");
  const grant = { grant_type: "refresh_token", client_id: "kubectl" };
  expect(requests).toEqual([
    { authorization: undefined, body: { ...grant, refresh_token: "refresh-0" } },
    { authorization: undefined, body: { ...grant, refresh_token: "refresh-1" } },
  ]);
});

test("does not lose the refresh token when the call that started the refresh aborts", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const answer = (tokens: object) => {
    controller.abort(reason);
    return tokens;
  };
  const { requests, config } = await startIssuer({ answer });
  const provider = createOidcProvider("me", config);
  await expect(provider.get(controller.signal)).rejects.toBe(reason);
  expect(await subjectOf(provider.get())).toBe("me-1");
  expect(requests).toHaveLength(1);
});

test.each([
  ["names no method", {}, "by header"],
  ["wants it in the body", { token_endpoint_auth_methods_supported: ["client_secret_post"] }, "in the body"],
])("sends the client secret to an issuer that %s", async (_, metadata, how) => {
  const { requests, config } = await startIssuer({ metadata });
  await createOidcProvider("me", { ...config, "client-secret": "s3cret" }).get();
  const [{ authorization, body } = { authorization: "", body: {} as Record<string, string> }] = requests;
  const header = `Basic ${Buffer.from("kubectl:s3cret").toString("base64")}`;
  expect([authorization, body.client_secret]).toEqual(
    how === "by header" ? [header, undefined] : [undefined, "s3cret"],
  );
});

test("reaches the issuer through the environment's proxy", async () => {
  const { config } = await startIssuer({ host: "apiserver.test" });
  const { url, requests } = await httpProxy(Number(new URL(config["idp-issuer-url"]).port));
  vi.stubEnv("HTTPS_PROXY", url);
  vi.stubEnv("NO_PROXY", "other.test");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await subjectOf(createOidcProvider("me", config).get())).toBe("me-1");
  const { host } = new URL(config["idp-issuer-url"]);
  expect(new Set(requests)).toEqual(new Set([host]));
  vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
  expect(await errorOf(createOidcProvider("me", config).get())).toContain(
    "ECONNREFUSED 127.0.0.1:1 (through the proxy 127.0.0.1:1)",
  );
});

test("accepts a file with the issuer's authority, and trusts no issuer without one", async () => {
  const { config } = await startIssuer();
  const { "idp-certificate-authority-data": ca, ...rest } = config;
  const folder = mkdtempSync(join(tmpdir(), "oidc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ca.crt");
  writeFileSync(file, Buffer.from(ca, "base64"));
  expect(await errorOf(createOidcProvider("me", rest).get())).toMatch(
    /user "me" got no new id-token from https:\/\/127.*unable to verify the first certificate/,
  );
  const provider = createOidcProvider("me", { ...rest, "idp-certificate-authority": file });
  expect(await subjectOf(provider.get())).toBe("me-1");
});

test("reports an issuer's refusal with the issuer's message", async () => {
  const { config } = await startIssuer();
  const provider = createOidcProvider("me", { ...config, "refresh-token": "old" });
  expect(await errorOf(provider.get())).toContain(
    "invalid_grant: it has expired; log in again if its refresh-token has expired",
  );
});

test.each([
  ["/realms/shop/", "without"],
  ["/realms/shop", "with"],
])("accepts an issuer with the URL %s if the kubeconfig has it %s the slash", async (path, how) => {
  const { config } = await startIssuer({ path });
  const configured = config["idp-issuer-url"].replace(/\/$/, "") + (how === "with" ? "/" : "");
  expect(await subjectOf(createOidcProvider("me", { ...config, "idp-issuer-url": configured }).get())).toBe(
    "me-1",
  );
});

test("rejects an issuer with another URL", async () => {
  const { requests, config } = await startIssuer({ metadata: { issuer: "https://elsewhere/realms/shop" } });
  expect(await errorOf(createOidcProvider("me", config).get())).toContain(
    `body "issuer" property does not match the expected value`,
  );
  expect(requests).toEqual([]);
});

test("reports an answer without an id_token", async () => {
  const { config } = await startIssuer({ answer: ({ id_token: _, ...rest }: { id_token?: string }) => rest });
  expect(await errorOf(createOidcProvider("me", config).get())).toContain("answered without an id_token");
});

test.each([
  [204, "unexpected HTTP status code"],
  [205, "unexpected HTTP status code"],
  [304, "unexpected HTTP status code"],
  [600, "it answered with the HTTP status 600"],
])("reports an issuer that answers with the status %i", async (status, reason) => {
  const { config } = await startIssuer({ status });
  expect(await errorOf(createOidcProvider("me", config).get())).toContain(reason);
});

test.each([
  [
    "violates the protocol",
    { token_type: 1, access_token: "s3cret" },
    '"response" body "token_type" property',
  ],
  ["is not JSON", "s3cret", "failed to parse"],
  [
    "says too much",
    { error: "server_error", error_description: `a\n${"b".repeat(300)}s3cret` },
    "server_error: a b",
  ],
])("does not show an issuer's answer that %s", async (_, answer, reason) => {
  const { config } = await startIssuer({
    answer: () => answer,
    status: "error" in Object(answer) ? 400 : 200,
  });
  const error: unknown = await Promise.resolve(createOidcProvider("me", config).get()).catch(
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(CredentialsError);
  const shown = inspect(error, { depth: 10 });
  expect(shown).toContain(reason);
  expect(shown).not.toContain("s3cret");
});

test("reads at most 1 MiB from an issuer", async () => {
  const answer = (tokens: object) => ({ ...tokens, more: "x".repeat(2 ** 20) });
  const { config } = await startIssuer({ answer });
  expect(await errorOf(createOidcProvider("me", config).get())).toContain(
    "it answered with more than 1 MiB; log in again",
  );
});

test.each([
  [{ "idp-issuer-url": "" }, "has no idp-issuer-url: add it, or log in again"],
  [{ "client-id": undefined }, "has no client-id"],
  [{ "client-id": 1 }, "has a client-id that is not a string: quote it"],
  [{ "id-token": "abc" }, "has an id-token that is not a JWT: log in again"],
])("rejects %j before any request", async (more, reason) => {
  const { requests, config } = await startIssuer();
  expect(() => createOidcProvider("me", { ...config, ...more })).toThrow(
    `the oidc auth-provider of the kubeconfig's user "me" ${reason}`,
  );
  expect(requests).toEqual([]);
});

test("asks for a login if there is no refresh token", async () => {
  const { config } = await startIssuer();
  const expired = { ...config, "refresh-token": "", "id-token": jwt({ exp: 1 }) };
  expect(await errorOf(createOidcProvider("me", expired).get())).toContain(
    "has no valid id-token, and no refresh-token to get one: log in again",
  );
});
