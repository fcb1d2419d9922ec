import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";

const server = await startTestServer({}, { shared: true });

const roots = ["api", "apis", "openapi", "healthz", "version", ""];
const words = fc.constantFrom(
  ...[
    "v1",
    "apps",
    "namespaces",
    "default",
    "pods",
    "configmaps",
    "deployments",
    "events",
    "customresourcedefinitions",
  ],
  ...[
    "apiextensions.k8s.io",
    "events.k8s.io",
    "status",
    "scale",
    "log",
    "exec",
    "binding",
    "eviction",
    "token",
    "finalize",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "..",
    "%2e%2e",
    "%00",
    "%",
    "%zz",
    "a%2Fb",
    "x",
    "watch",
    "kubernetes",
    "é",
  ],
);
const queries = fc.constantFrom(
  ...[
    "",
    "?watch=0",
    "?limit=1",
    "?limit=-1",
    "?limit=x",
    "?continue=a",
    "?continue=%ff",
    "?resourceVersion=x",
  ],
  ...[
    "?fieldSelector=a=b",
    "?labelSelector=(",
    "?dryRun=All",
    "?dryRun=x",
    "?fieldValidation=Strict",
    "?container=x",
  ],
  ...[
    "?tailLines=-1&sinceTime=x",
    "?includeObject=Object",
    "?gracePeriodSeconds=-1",
    "?propagationPolicy=Orphan",
    "?%",
  ],
);
const methods = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
const types = fc.constantFrom(
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "text/plain",
);
const accepts = fc.constantFrom(
  "application/json",
  "*/*",
  "application/yaml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "text/html",
  ";;;,",
);

/** Objects that contain all types of JSON, in all the wrong places. */
const key = fc.constantFrom(
  ...[
    "apiVersion",
    "kind",
    "metadata",
    "name",
    "namespace",
    "labels",
    "finalizers",
    "ownerReferences",
    "spec",
    "status",
  ],
  ...[
    "containers",
    "replicas",
    "template",
    "selector",
    "data",
    "op",
    "path",
    "value",
    "__proto__",
    "names",
    "versions",
  ],
);
const { tree: json } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1, 1e300, "", "v1", "Pod", "x"),
    tie("list"),
    tie("record"),
  ),
  list: fc.array(tie("tree"), { maxLength: 3 }),
  record: fc.array(fc.tuple(key, tie("tree")), { maxLength: 6 }).map((entries) => {
    const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return { toJSON: () => JSON.parse(`{${members.join(",")}}`) };
  }),
}));
const bodies = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc.string({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from("k8s\0"), bytes])),
  fc.constantFrom("", "{", "[[[[", "a: &a [*a, *a]", "\u0000"),
);

/** Existing objects: requests for them get further than those for missing ones. */
const existing = [
  "/api/v1/namespaces/default/configmaps/c",
  "/api/v1/namespaces/default/pods/p",
  "/api/v1/namespaces/default/pods/p/status",
  "/api/v1/namespaces/default/pods/p/ephemeralcontainers",
  "/api/v1/namespaces/default/services/kubernetes",
  "/apis/apps/v1/namespaces/default/deployments/d",
  "/apis/apps/v1/namespaces/default/deployments/d/scale",
  "/apis/example.com/v1/namespaces/default/shirts/s",
  "/apis/example.com/v1/namespaces/default/shirts/s/status",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shirts.example.com",
];

async function createExisting(): Promise<void> {
  const containers = [{ name: "main", image: "x" }];
  await server.create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  await server.create("/api/v1/namespaces/default/configmaps", { metadata: { name: "c" }, data: { a: "b" } });
  await server.create("/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec: { containers } });
  await server.create("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: { app: "d" } },
      template: { metadata: { labels: { app: "d" } }, spec: { containers } },
    },
  });
  const properties = {
    spec: { type: "object", properties: { replicas: { type: "integer", default: 1 } } },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  const schema = { openAPIV3Schema: { type: "object", properties } };
  await server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "shirts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "shirts", singular: "shirt", kind: "Shirt", listKind: "ShirtList" },
      versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await server.create("/apis/example.com/v1/namespaces/default/shirts", {
    apiVersion: "example.com/v1",
    kind: "Shirt",
    metadata: { name: "s" },
  });
}

await createExisting();

test("answers any request about existing objects with success or a refusal", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom("PUT", "PATCH", "PATCH", "GET"),
        path: fc.constantFrom(...existing),
        query: queries,
        type: types,
        accept: accepts,
        body: bodies,
      }),
      async ({ method, path, query, type, accept, body }) => {
        const answer = await server.request(method, `${path}${query}`, {
          headers: { "content-type": type, accept },
          ...(method === "GET" ? {} : { body }),
        });
        expect(
          answer.status,
          `${method} ${path}${query} ${type} ${String(body)}: ${answer.text}`,
        ).toBeLessThan(500);
      },
    ),
    { numRuns: 1000 },
  );
  expect(server.log).toEqual([]);
});

test("answers any request, and never with a 500", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: methods,
        root: fc.constantFrom(...roots),
        path: fc.array(words, { maxLength: 7 }),
        query: queries,
        type: types,
        accept: accepts,
        body: fc.option(bodies, { nil: undefined }),
      }),
      async ({ method, root, path, query, type, accept, body }) => {
        const url = `/${[root, ...path].join("/")}${query}`;
        const headers = { "content-type": type, accept };
        const answer = await server.request(method, url.replaceAll(/[^!-~]/g, encodeURIComponent), {
          headers,
          ...(method === "GET" || method === "HEAD" || body === undefined ? {} : { body }),
        });
        expect(answer.status, `${method} ${url} ${String(body)}: ${answer.text}`).toBeLessThan(500);
      },
    ),
    { numRuns: 1000 },
  );
  expect(server.log).toEqual([]);
});
