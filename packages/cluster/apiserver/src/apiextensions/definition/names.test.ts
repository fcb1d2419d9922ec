import { createFakeClock } from "@operator-path/client/testing";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

// All expectations are what kube-apiserver 1.36 answered for the same definitions.

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const mergePatch = { "content-type": "application/merge-patch+json" };
const clock = createFakeClock();
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ clock });
});

function definition(plural: string, names: JsonObject, group = "example.com"): JsonObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, ...names },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const shirts = definition("shirts", { kind: "Shirt", shortNames: ["sh", "sht"] });
const rename = (plural: string, names: JsonObject) =>
  server.request("PATCH", `${definitions}/${plural}.example.com`, {
    body: { spec: { names } },
    headers: mergePatch,
  });

interface Status {
  acceptedNames: JsonObject;
  conditions: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[];
}

async function status(plural: string): Promise<Status> {
  const found = (await server.request("GET", `${definitions}/${plural}.example.com`)).json();
  return found.status as unknown as Status;
}

/** Returns the conditions as `NamesAccepted=True NoConflicts`. */
async function conditions(plural: string): Promise<string[]> {
  const found = await status(plural);
  return found.conditions.map(
    ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
  );
}

const accepted = "NamesAccepted=True NoConflicts: no conflicts found";
const established = "Established=True InitialNamesAccepted: the initial names have been accepted";
const notAccepted = "Established=False NotAccepted: not all names are accepted";

async function served(): Promise<string[]> {
  const list = await server.request("GET", "/apis/example.com/v1");
  const { resources } = list.json<{ resources: { name: string; shortNames?: string[] }[] }>();
  return resources.map(({ name, shortNames = [] }) => `${name} (${shortNames.join(" ")})`);
}

describe("a definition that requests names of another one in its group", () => {
  test.each([
    ["a kind", { kind: "Shirt", listKind: "BlouseList", singular: "blouse" }, 'KindConflict: "Shirt"'],
    ["a list's kind", { kind: "Blouse", listKind: "Shirt" }, 'ListKindConflict: "Shirt"'],
    ["a singular", { kind: "Blouse", singular: "shirt" }, 'SingularConflict: "shirt"'],
    ["a short name", { kind: "Blouse", shortNames: ["bl", "shirts"] }, 'ShortNamesConflict: "shirts"'],
    [
      "several, of which the last one is reported",
      { kind: "Shirt", shortNames: ["sh"] },
      'ListKindConflict: "ShirtList"',
    ],
  ])("(%s) is not served, and its status says why", async (_what, names, conflict) => {
    await server.create(definitions, shirts);
    await server.create(definitions, definition("blouses", names));
    expect(await conditions("blouses")).toEqual([
      `NamesAccepted=False ${conflict} is already in use`,
      notAccepted,
    ]);
    expect((await server.request("GET", "/apis/example.com/v1/blouses")).status).toBe(404);
    expect(await served()).toEqual(["shirts (sh sht)"]);
  });

  test("gets the free ones", async () => {
    await server.create(definitions, shirts);
    await server.create(
      definitions,
      definition("blouses", { kind: "Shirt", singular: "shirt", shortNames: ["sh", "bl", "sht"] }),
    );
    expect((await status("blouses")).acceptedNames).toEqual({ plural: "blouses", kind: "" });
  });

  test("reports every short name that is taken", async () => {
    await server.create(definitions, shirts);
    await server.create(
      definitions,
      definition("blouses", { kind: "Blouse", shortNames: ["sht", "b", "sh", "sht"] }),
    );
    expect((await conditions("blouses"))[0]).toBe(
      'NamesAccepted=False ShortNamesConflict: ["sht" is already in use, "sh" is already in use]',
    );
  });

  test("is established when they become free", async () => {
    await server.create(definitions, shirts);
    await server.create(definitions, definition("blouses", { kind: "Blouse", singular: "shirt" }));
    await server.create(definitions, definition("vests", { kind: "Blouse", listKind: "VestList" }));
    const before = await status("blouses");
    await clock.advance(60_000);
    await server.request("DELETE", `${definitions}/shirts.example.com`);
    expect(await conditions("blouses")).toEqual([accepted, established]);
    expect((await status("blouses")).acceptedNames).toMatchObject({ singular: "shirt", kind: "Blouse" });
    for (const [index, { lastTransitionTime }] of (await status("blouses")).conditions.entries()) {
      expect(lastTransitionTime > (before.conditions[index]?.lastTransitionTime ?? "")).toBe(true);
    }
    expect(await served()).toEqual(["blouses ()"]);
    // This one still requests a name of the second one.
    expect((await conditions("vests"))[1]).toBe(notAccepted);
  });

  test("gets them if it is in another group", async () => {
    await server.create(definitions, shirts);
    await server.create(definitions, definition("shirts", { kind: "Shirt", shortNames: ["sh"] }, "other.io"));
    expect((await server.request("GET", "/apis/other.io/v1/shirts")).status).toBe(200);
  });
});

describe("an established definition", () => {
  test("stays established when it requests a taken name, and gets the name when it becomes free", async () => {
    await server.create(definitions, shirts);
    await server.create(definitions, definition("hats", { kind: "Hat", shortNames: ["ha"] }));
    await rename("hats", { shortNames: ["sh"] });
    expect(await conditions("hats")).toEqual([
      'NamesAccepted=False ShortNamesConflict: "sh" is already in use',
      established,
    ]);
    expect(await served()).toEqual(["hats (ha)", "shirts (sh sht)"]);
    await rename("shirts", { shortNames: ["xx"] });
    expect(await conditions("hats")).toEqual([accepted, established]);
    expect(await served()).toEqual(["hats (sh)", "shirts (xx)"]);
  });

  test("keeps the transition time of conditions whose status does not change", async () => {
    await server.create(definitions, shirts);
    const before = (await status("shirts")).conditions;
    await clock.advance(60_000);
    await rename("shirts", { shortNames: ["xx"] });
    expect((await status("shirts")).conditions).toEqual(before);
  });

  test("gets a new status after a client has removed it", async () => {
    await server.create(definitions, shirts);
    const path = `${definitions}/shirts.example.com`;
    await server.request("PATCH", `${path}/status`, { body: { status: null }, headers: mergePatch });
    await rename("shirts", { shortNames: ["xx"] });
    expect(await conditions("shirts")).toEqual([accepted, established]);
    expect(await served()).toEqual(["shirts (xx)"]);
    await server.request("PATCH", `${path}/status`, { body: { status: null }, headers: mergePatch });
    expect((await server.request("DELETE", path)).status).toBe(200);
    expect((await server.request("GET", path)).status).toBe(404);
    expect(server.log).toEqual([]);
  });

  test("can be deleted while names of its group become free", async () => {
    await server.create(definitions, shirts);
    const finalized = definition("hats", { kind: "Hat", shortNames: ["ha"] }) as JsonObject & {
      metadata: JsonObject;
    };
    finalized.metadata = { ...finalized.metadata, finalizers: ["x.io/y"] };
    await server.create(definitions, finalized);
    await rename("hats", { shortNames: ["sh"] });
    await server.request("DELETE", `${definitions}/hats.example.com`);
    await server.request("DELETE", `${definitions}/shirts.example.com`);
    const deleting = (await server.request("GET", `${definitions}/hats.example.com`)).json();
    expect(deleting.metadata.finalizers).toEqual(["x.io/y"]);
    const body = { metadata: { finalizers: null } };
    await server.request("PATCH", `${definitions}/hats.example.com`, { body, headers: mergePatch });
    expect((await server.request("GET", `${definitions}/hats.example.com`)).status).toBe(404);
    expect((await server.request("GET", "/apis/example.com/v1")).status).toBe(404);
  });
});
