import { createPublicKey, type JsonWebKeyInput, verify } from "node:crypto";
import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

test("lets clients verify a token with the published keys", async () => {
  const server = await startTestServer();
  await server.create(accounts, { metadata: { name: "robot" } });
  const { status } = (
    await server.request("POST", `${accounts}/robot/token`, { body: { spec: { audiences: ["vault"] } } })
  ).json<{ status: { token: string } }>();
  const [head = "", payload = "", signature = ""] = status.token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());

  const robot = { token: status.token };
  // A token for another audience is invalid here. One for this server can read the discovery documents.
  expect((await server.request("GET", "/openid/v1/jwks", robot)).status).toBe(401);
  const own = (await server.request("POST", `${accounts}/robot/token`, { body: {} })).json<{
    status: { token: string };
  }>().status;
  const found = await server.request("GET", "/.well-known/openid-configuration", own);
  expect(found.headers["cache-control"]).toBe("public, max-age=3600");
  expect(found.json()).toEqual({
    issuer: read(payload).iss,
    jwks_uri: `${server.url}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [read(head).alg],
  });
  const published = await server.request("GET", "/openid/v1/jwks", own);
  expect(published.headers["content-type"]).toBe("application/jwk-set+json");
  const { keys } = published.json<{ keys: (JsonWebKeyInput["key"] & { kid: string })[] }>();
  const key = keys.find(({ kid }) => kid === read(head).kid);
  const publicKey = createPublicKey({ key: key as JsonWebKeyInput["key"], format: "jwk" });
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  const signed = Buffer.from(`${head}.${payload}`);
  expect(verify("sha256", signed, options, Buffer.from(signature, "base64url"))).toBe(true);
  expect(read(payload)).toMatchObject({ aud: ["vault"], sub: "system:serviceaccount:default:robot" });
});

test("answers other paths there with 404", async () => {
  const server = await startTestServer();
  for (const path of ["/openid", "/openid/v1", "/.well-known/other"]) {
    expect((await server.request("GET", path)).status).toBe(404);
  }
  expect((await server.request("POST", "/openid/v1/jwks", { body: {} })).status).toBe(405);
});
