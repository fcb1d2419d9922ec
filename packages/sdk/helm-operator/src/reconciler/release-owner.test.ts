import { expect, it } from "vitest";
import { ownerLabel, ownerLabels } from "./release-owner.ts";

it("names the kind in a valid label value, however long its group is", () => {
  expect(ownerLabels({ kind: "Web", group: "example.com" })).toEqual({ [ownerLabel]: "Web.example.com" });
  const long = (end: string) =>
    ownerLabels({ kind: "Web", group: `${"team.".repeat(20)}${end}` })[ownerLabel] ?? "";
  expect(long("com")).toMatch(/^Web\.team\.[A-Za-z0-9.]*[a-z0-9]$/);
  expect(long("com")).toHaveLength(63);
  expect(long("com")).not.toBe(long("org"));
});
