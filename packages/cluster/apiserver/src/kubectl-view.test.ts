// What a real kubectl prints about discovery, OpenAPI documents and Tables. The texts are those that it
// printed for a real kube-apiserver with the same objects.
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "./lib/json/json.ts";
import { sampleDefinitions } from "./server/table/recorded/samples.ts";
import { type Kubectl, kubectlFor } from "./testing/kubectl.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const HAMMERS = "/apis/forge.example.com/v1/namespaces/default/hammers";

let server: TestServer;
let kubectl: Kubectl;
beforeAll(async () => {
  server = await startTestServer({}, { shared: true });
  kubectl = await kubectlFor(server);
  for (const definition of sampleDefinitions()) {
    // These tests do not need the CEL rules.
    const text = JSON.stringify(definition, (key, value) => {
      return key === "x-kubernetes-validations" ? undefined : value;
    });
    await server.create(DEFINITIONS, JSON.parse(text) as JsonObject);
  }
});

function hammer(name: string, head: string): JsonObject {
  return { apiVersion: "forge.example.com/v1", kind: "Hammer", metadata: { name }, spec: { head } };
}

describe("kubectl api-resources", () => {
  it("shows a custom resource at once, with its short names", async () => {
    const lines = (await kubectl.run("api-resources", "--api-group=forge.example.com")).trim().split("\n");
    expect(lines.map((line) => line.split(/\s+/).join(" "))).toEqual([
      "NAME SHORTNAMES APIVERSION NAMESPACED KIND",
      "anvils forge.example.com/v1 false Anvil",
      "hammers hm forge.example.com/v1 true Hammer",
    ]);
  });

  it("prefers the core group for a kind in two groups", async () => {
    expect(await kubectl.run("explain", "events")).toMatch(/^KIND: {7}Event\nVERSION: {4}v1\n/);
  });
});

describe("kubectl explain", () => {
  it("describes a field of a custom resource", async () => {
    expect(await kubectl.run("explain", "hm.spec")).toBe(`GROUP:      forge.example.com
KIND:       Hammer
VERSION:    v1

FIELD: spec <Object>


DESCRIPTION:
    What is wanted.
    
FIELDS:
  free	<Object>
    <no description>

  head	<string> -required-
  enum: round, flat
    Its head.

  notes	<map[string]string>
    <no description>

  parts	<[]Object>
    <no description>

  replicas	<integer>
    <no description>

  weight	<Object>
    <no description>


`);
  });

  it("describes a field of a Pod", async () => {
    const text = await kubectl.run("explain", "pod.spec.containers.imagePullPolicy");
    expect(text).toContain(
      "FIELD: imagePullPolicy <string>\nENUM:\n    Always\n    IfNotPresent\n    Never\n",
    );
    expect(text).toContain("Image pull policy. One of Always, Never, IfNotPresent.");
  });

  it("says that there is no such field", async () => {
    const error = await kubectl.run("explain", "hm.spec.nope").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ stderr: 'error: field "nope" does not exist\n' });
  });
});

describe("kubectl get", () => {
  it("prints a custom resource in the columns of its definition", async () => {
    await server.create("/apis/recorded.example.com/v1/namespaces/default/gadgets", {
      apiVersion: "recorded.example.com/v1",
      kind: "Gadget",
      metadata: { name: "one" },
      spec: { text: "hello", size: 4, on: true },
    });
    // kubectl prefers v2 of the two versions, which has no columns.
    const resource = "gadgets.v1.recorded.example.com";
    const [header = "", row = ""] = (await kubectl.run("get", resource)).split("\n");
    expect(header).toMatch(/^NAME +TEXT +SIZETEXT +RATIO /);
    expect(row).toMatch(/^one +hello +4 /);
    expect((await kubectl.run("get", resource, "-o", "wide")).split("\n")[0]).toMatch(
      /^NAME +TEXT +SIZE +SIZETEXT /,
    );
  });

  it("prints Name and Age for a kind without columns", async () => {
    await server.create(HAMMERS, hammer("plain", "round"));
    expect(await kubectl.run("get", "hm", "plain")).toMatch(/^NAME {4}AGE\nplain {3}\ds\n$/);
  });

  it("-w prints the header once, then a row for every change", async () => {
    const watched = { name: "watched", labels: { seen: "yes" } };
    await server.create(HAMMERS, { ...hammer("watched", "round"), metadata: watched });
    // Selects by label, because kubectl drops the first event of a single object, whatever it is.
    const rows: string[] = [];
    for await (const line of kubectl.follow("get", "hm", "-l", "seen=yes", "-w", "--output-watch-events")) {
      rows.push(line.trim().split(/\s+/).slice(0, 2).join(" "));
      if (rows.length === 2) {
        const patch = { spec: { head: "flat" } };
        const headers = { "content-type": "application/merge-patch+json" };
        await server.request("PATCH", `${HAMMERS}/watched`, { body: patch, headers });
      }
      if (rows.length === 3) await server.request("DELETE", `${HAMMERS}/watched`);
      if (rows.length === 4) break;
    }
    expect(rows).toEqual(["EVENT NAME", "ADDED watched", "MODIFIED watched", "DELETED watched"]);
  });

  it("finds the kinds in the category all", async () => {
    await server.create(HAMMERS, hammer("categorized", "flat"));
    expect(await kubectl.run("get", "all", "-o", "name")).toContain("hammer.forge.example.com/categorized\n");
  });
});

it("kubectl apply reads from the OpenAPI document how to patch a custom resource", async () => {
  await server.create(HAMMERS, hammer("applied", "round"));
  const edited = hammer("applied", "flat");
  expect(
    await kubectl.run("apply", "-f", await kubectl.file("hammer.json", JSON.stringify(edited))),
  ).toContain("hammer.forge.example.com/applied configured");
  expect((await server.request("GET", `${HAMMERS}/applied`)).json().spec).toMatchObject({ head: "flat" });
});

it("warns of a deprecated version in every response", async () => {
  const { headers } = await server.request("GET", "/api/v1/namespaces/default/endpoints");
  expect(headers.warning).toBe(
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  );
});
