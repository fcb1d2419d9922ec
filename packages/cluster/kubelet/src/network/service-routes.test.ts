import { expect, test } from "vitest";
import { candidateNames } from "./service-routes.ts";

test.each([
  ["web", "web.shop"],
  ["web.other", "web.other"],
  ["web.other.svc", "web.other"],
  ["web.other.svc.cluster.local", "web.other"],
  ["WEB.other.svc.cluster.local.", "web.other"],
  ["db-0.db", "db-0.db.shop"],
  ["db-0.db.other.svc", "db-0.db.other"],
])("resolves %s in the namespace shop to %s first", (name, wanted) => {
  const shown = candidateNames(name, "shop").map(({ hostname, service, namespace }) =>
    [hostname, service, namespace].filter(Boolean).join("."),
  );
  expect(shown).toContain(wanted);
});

test.each(["", ".", "example.com.", "a.b.c.d.svc.cluster.local.", "svc.cluster.local."])(
  "%j is not a Service's name",
  (name) => {
    expect(candidateNames(name, "shop")).toEqual([]);
  },
);
