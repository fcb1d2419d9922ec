import { describe, expect, test } from "vitest";
import { createStore } from "../storage/store.ts";
import { issuer, type ServiceAccountClaims } from "./service-account-claims.ts";
import { createTokenAuthenticator } from "./tokens.ts";

const claims: ServiceAccountClaims = {
  namespace: "default",
  serviceaccount: { name: "robot", uid: "robot-uid" },
  pod: { name: "p", uid: "pod-uid" },
  node: { name: "n", uid: "" },
};

function start() {
  let seconds = 1_000;
  const store = createStore();
  const put = (collection: string, kind: string, name: string, uid: string) =>
    store.create(collection, `default/${name}`, {
      apiVersion: "v1",
      kind,
      metadata: { name, namespace: "default", uid },
    });
  put("serviceaccounts", "ServiceAccount", "robot", "robot-uid");
  put("pods", "Pod", "p", "pod-uid");
  const tokens = createTokenAuthenticator({ administrator: "secret", store, now: () => seconds * 1000 });
  const remove = (collection: string, name: string) => {
    const seen = store.get(collection, `default/${name}`);
    if (seen !== undefined) store.delete(collection, seen);
  };
  const issue = (audiences = [issuer]) =>
    tokens.issue(claims, { now: seconds, expires: seconds + 600 }, audiences, "id");
  return { ...tokens, issueToken: issue, remove, put, advance: (by: number) => (seconds += by) };
}

const error = (why: string) => ({ error: `[invalid bearer token, ${why}]` });

describe("a token of a ServiceAccount", () => {
  test("contains its account, and the objects that it is bound to", () => {
    const { issueToken, review } = start();
    const token = issueToken();
    expect(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).toEqual({
      aud: [issuer],
      exp: 1_600,
      iat: 1_000,
      iss: issuer,
      jti: "id",
      "kubernetes.io": {
        namespace: "default",
        node: { name: "n" },
        pod: { name: "p", uid: "pod-uid" },
        serviceaccount: { name: "robot", uid: "robot-uid" },
      },
      nbf: 1_000,
      sub: "system:serviceaccount:default:robot",
    });
    expect(review(token)).toEqual({
      audiences: [issuer],
      user: {
        username: "system:serviceaccount:default:robot",
        uid: "robot-uid",
        groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        extra: {
          "authentication.kubernetes.io/credential-id": ["JTI=id"],
          "authentication.kubernetes.io/node-name": ["n"],
          "authentication.kubernetes.io/pod-name": ["p"],
          "authentication.kubernetes.io/pod-uid": ["pod-uid"],
        },
      },
    });
  });

  test("expires a minute after its time, and stays valid when the clock is set back a day", () => {
    const { issueToken, review, authenticate, advance } = start();
    const token = issueToken();
    advance(660);
    expect(authenticate(token)?.username).toBe("system:serviceaccount:default:robot");
    advance(1);
    expect(review(token)).toEqual(error("service account token has expired"));
    expect(authenticate(token)).toBeUndefined();
    advance(-86_400);
    expect(authenticate(token)?.username).toBe("system:serviceaccount:default:robot");
  });

  test("is invalid once its Pod is deleted", () => {
    const { issueToken, review, remove, put } = start();
    const token = issueToken();
    expect(review(token)).toHaveProperty("user");
    remove("pods", "p");
    expect(review(token)).toEqual(error("service account token has been invalidated"));
    put("pods", "Pod", "p", "another");
    expect(review(token)).toEqual(
      error("pod UID (another) does not match service account pod ref claim (pod-uid)"),
    );
  });

  test("is invalid once its account is deleted", () => {
    const { issueToken, review, remove, put } = start();
    const token = issueToken();
    remove("serviceaccounts", "robot");
    expect(review(token)).toEqual(error('serviceaccounts "robot" not found'));
    put("serviceaccounts", "ServiceAccount", "robot", "another");
    expect(review(token)).toEqual(error("service account UID (another) does not match claim (robot-uid)"));
  });

  test("is valid for its audiences only", () => {
    const { issueToken, review, authenticate } = start();
    const token = issueToken(["vault", "other"]);
    expect(authenticate(token)).toBeUndefined();
    expect(review(token, ["x", "vault"])).toMatchObject({ audiences: ["vault"] });
    expect(review(token, ["x"])).toEqual(
      error('token audiences ["vault" "other"] is invalid for the target audiences ["x"]'),
    );
  });
});

describe("a token that was tampered with", () => {
  const { issueToken, review } = start();
  const [head = "", payload = "", signature = ""] = issueToken().split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());

  test.each([
    ["another subject", `${head}.${encode({ ...decode(payload), sub: "system:admin" })}.${signature}`],
    ["no algorithm", `${encode({ ...decode(head), alg: "none" })}.${payload}.`],
    ["another algorithm", `${encode({ ...decode(head), alg: "HS256" })}.${payload}.${signature}`],
    ["no signature", `${head}.${payload}.`],
    ["another key", `${encode({ ...decode(head), kid: "other" })}.${payload}.${signature}`],
    ["a longer signature", `${head}.${payload}.${signature}AAAA`],
    ["the signature of another server", `${head}.${payload}.${start().issueToken().split(".")[2]}`],
    ["no JWT", "a.b.c"],
    ["nothing", ""],
  ])("is invalid: %s", (_what, token) => {
    expect(review(token)).toEqual({ error: expect.stringContaining("invalid bearer token") });
  });

  test("publishes the key of tokens", async () => {
    const { signer, issueToken: issue } = start();
    const [part = ""] = issue().split(".");
    expect(signer.jwk()).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", kid: decode(part).kid });
  });
});

test("accepts the administrator's token for this server only", () => {
  const { review } = start();
  expect(review("secret")).toMatchObject({ user: { username: "kubernetes-admin" }, audiences: [issuer] });
  expect(review("secret", ["other"])).toEqual({ error: "invalid bearer token" });
  expect(review("secre")).toEqual({ error: "invalid bearer token" });
});
