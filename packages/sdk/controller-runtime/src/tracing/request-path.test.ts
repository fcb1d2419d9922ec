import { expect, test } from "vitest";
import { readRequestPath } from "./request-path.ts";

test.each([
  ["/version", "/version", {}],
  ["/apis", "/apis", {}],
  ["/apis/apps/v1", "/apis/apps/v1", {}],
  ["/api/v1/nodes/a", "/api/v1/nodes/{name}", { group: "", version: "v1", resource: "nodes", name: "a" }],
  ["/api/v1/namespaces/shop", "/api/v1/namespaces/{name}", { resource: "namespaces", name: "shop" }],
  [
    "/api/v1/namespaces/shop/finalize",
    "/api/v1/namespaces/{name}/finalize",
    { resource: "namespaces", name: "shop", subresource: "finalize" },
  ],
  [
    "/apis/apps/v1/namespaces/shop/deployments",
    "/apis/apps/v1/namespaces/{namespace}/deployments",
    { group: "apps", version: "v1", resource: "deployments", namespace: "shop" },
  ],
  [
    "/apis/cache.example.com/v1alpha1/namespaces/shop/memcacheds/a/status",
    "/apis/cache.example.com/v1alpha1/namespaces/{namespace}/memcacheds/{name}/status",
    { group: "cache.example.com", resource: "memcacheds", name: "a", subresource: "status" },
  ],
  [
    "/api/v1/namespaces/shop/services/a/proxy/some/path",
    "/api/v1/namespaces/{namespace}/services/{name}/proxy",
    { resource: "services", name: "a", subresource: "proxy" },
  ],
  ["/api/v1/nodes/a%3Ab", "/api/v1/nodes/{name}", { name: "a:b" }],
  ["/api/v1/nodes/%", "/api/v1/nodes/{name}", { name: "%" }],
])("%s", (path, template, facts) => {
  expect(readRequestPath(path)).toMatchObject({ template, ...facts });
});
