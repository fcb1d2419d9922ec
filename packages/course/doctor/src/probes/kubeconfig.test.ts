import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examine } from "../examine.ts";
import type { Machine } from "../machine.ts";
import { createStandIn, kubeconfig, type StandIn } from "../testing/stand-in.ts";
import { kubeconfigProbe } from "./kubeconfig.ts";

/** Made for this test, without its key. Valid from 2026-11-22 until 2027-11-22. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIUAW5Ih2lVEkB4W4Fg6CCvFqaApmkwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHbGVhcm5lcjAeFw0yNjExMjIxNDA3MzFaFw0yNzExMjIxNDA3
MzFaMBIxEDAOBgNVBAMMB2xlYXJuZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AATdWYWWFu6NHC+fv/fLOayXwM7FYfavWRHo4nLF+XVy+Bez7zjZ5WRRe+HHsr85
6gmGXT2Nv5lPd8HJ5DgYNV3zo1MwUTAdBgNVHQ4EFgQUe7azgoItmJqHGTbS1SBf
ryRNvnkwHwYDVR0jBBgwFoAUe7azgoItmJqHGTbS1SBfryRNvnkwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAKQFv+uB31GBnf8kqJ8N1o0eylS22m
GERyaT7rE/1xlAIhAJP/rysxjtBg8LWJNPMVWQ5Rt6oed0x5wkFU5Z0rmLYC
-----END CERTIFICATE-----
`;
const certificateData = Buffer.from(certificate).toString("base64");

let standIn: StandIn;
beforeEach(async () => {
  standIn = await createStandIn();
});
afterEach(() => standIn[Symbol.asyncDispose]());

const look = (machine: Machine) => examine(machine, { probes: [kubeconfigProbe] });
async function context(parts: Parameters<typeof kubeconfig>[0], changes: Partial<Machine> = {}) {
  await standIn.file("~/.kube/config", kubeconfig(parts));
  return (await look(standIn.as(changes))).find(({ subject }) => subject === "context");
}

describe("the client certificate", () => {
  const user = `client-certificate-data: ${certificateData}`;

  test("is not reported if it is valid for long", async () => {
    expect(await context({ user })).toMatchObject({ state: "ok", found: "prod" });
  });

  test("breaks the current context if it has expired", async () => {
    const finding = await context({ user }, { now: new Date("2028-01-01") });
    expect(finding).toMatchObject({
      state: "missing",
      found: "prod: certificate expired 2027-11-22",
      neededFor: ["existing"],
      details: ["prod: Its client certificate expired on 2027-11-22."],
      mend: { words: ["Get a new kubeconfig from where this one came from."] },
    });
  });

  test("of a kind context is renewed by kind", async () => {
    const finding = await context({ user, context: "kind-lab" }, { now: new Date("2028-01-01") });
    expect(finding?.mend?.commands).toEqual(["kind export kubeconfig --name lab"]);
  });

  test("is reported if it ends within a week", async () => {
    const finding = await context({ user }, { now: new Date("2027-11-20") });
    expect(finding).toMatchObject({ state: "weak", found: "prod: certificate expires 2027-11-22" });
  });

  test("is read from a file, which is reported if it is missing", async () => {
    await standIn.file("~/.kube/me.crt", certificate);
    expect(await context({ user: "client-certificate: me.crt" })).toMatchObject({ state: "ok" });
    expect(await context({ user: "client-certificate: gone.crt" })).toMatchObject({
      state: "missing",
      found: "prod: unreadable certificate",
    });
  });
});

describe("an exec plugin", () => {
  const fields = "apiVersion: client.authentication.k8s.io/v1, command: cloud-login";
  const user = `exec: { ${fields}, interactiveMode: Never, installHint: "Get it\\n  at example.com" }`;

  test("breaks the context if it is missing, and prints its hint", async () => {
    expect(await context({ user })).toMatchObject({
      state: "missing",
      found: "prod: no cloud-login",
      mend: { words: ["Get it at example.com"] },
    });
  });

  test("is reported, but not run", async () => {
    const ran = await standIn.file("ran", "");
    await standIn.program("cloud-login", `echo ran > '${ran}.yes'`);
    expect(await context({ user })).toMatchObject({ state: "note", found: "prod: runs cloud-login" });
    await expect(import("node:fs/promises").then(({ stat }) => stat(`${ran}.yes`))).rejects.toThrow("ENOENT");
  });
});

test("reports what the client would reject", async () => {
  await standIn.program("cloud-login", "");
  const user = "exec: { apiVersion: client.authentication.k8s.io/v1, command: cloud-login }";
  const finding = await context({ user });
  expect(finding).toMatchObject({ state: "missing", found: "prod: runs cloud-login, cannot be used" });
  expect(finding?.details?.at(-1)).toContain(
    "has no interactiveMode: set it to Never, IfAvailable or Always",
  );
  expect(await context({ user: "token: t", cluster: "proxy-url: nonsense" })).toMatchObject({
    state: "missing",
    details: [expect.stringContaining("is not a proxy URL (expected one like")],
  });
});

test("reports insecure-skip-tls-verify, with its fix", async () => {
  const finding = await context({ cluster: "insecure-skip-tls-verify: true", user: "token: t" });
  expect(finding).toMatchObject({ state: "weak", found: "prod: insecure-skip-tls-verify" });
  expect(finding?.mend?.commands.join("\n")).toContain("--insecure-skip-tls-verify=false");
});

test("shows the current context first, and then others with problems", async () => {
  const others = kubeconfig({ user: `client-certificate-data: ${certificateData}`, context: "old" });
  const fine = kubeconfig({ user: "token: t", context: "fine" });
  const current = kubeconfig({ user: "token: t", context: "now" });
  const files = await Promise.all([
    standIn.file("~/current", current),
    standIn.file("~/old", others),
    standIn.file("~/fine", fine),
  ]);
  const gone = `${standIn.machine.home}/gone`;
  const env = { ...standIn.machine.env, KUBECONFIG: [...files, gone].join(":") };
  const findings = await look(standIn.as({ env, now: new Date("2028-01-01") }));
  expect(findings).toMatchObject([
    { subject: "kubeconfig", state: "ok", found: "3 contexts, current: now" },
    { subject: "context", state: "ok", found: "now", neededFor: ["existing"] },
    { subject: "context", state: "weak", found: "old: certificate expired 2027-11-22", neededFor: [] },
  ]);
  expect(findings[0]?.details).toEqual([`${gone}: KUBECONFIG names it, but it is missing`]);
});

test("reports a missing current context, and an invalid file", async () => {
  await standIn.file("~/.kube/config", kubeconfig({ user: "token: t" }).replace("current-context: prod", ""));
  expect(await look(standIn.machine)).toMatchObject([
    {
      state: "weak",
      found: "1 context, current: none",
      mend: { commands: ["kubectl config use-context prod"] },
    },
  ]);
  const file = await standIn.file("~/.kube/config", "[");
  const [broken] = await look(standIn.machine);
  expect(broken).toMatchObject({ state: "missing", found: "no contexts" });
  expect(broken?.details?.[0]).toContain(`${file}: `);
});
