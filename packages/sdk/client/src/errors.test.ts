import { expect, test } from "vitest";
import { toApiError } from "./errors.ts";

const date = "Sat, 21 Nov 2026 18:00:00 GMT";
const request = { method: "GET", path: "/api", server: "https://k", user: "u" };
const retryAfter = (headers: Record<string, string>) =>
  toApiError(503, headers, Buffer.from("busy"), request).retryAfter;

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "1" }, 1_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "-5" }, 0],
  [{ "retry-after": "Sat, 21 Nov 2026 18:00:30 GMT", date }, 30_000],
  [{ "retry-after": "Sat, 21 Nov 2026 17:59:00 GMT", date }, 0],
  [{ "retry-after": "soon", date }, undefined],
])("reads Retry-After from %o", (headers, milliseconds) => {
  expect(retryAfter(headers)).toBe(milliseconds);
});

test("compares Retry-After with the local time if the response has no Date", () => {
  const wait = retryAfter({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }) ?? 0;
  expect(wait).toBeGreaterThan(20_000);
  expect(wait).toBeLessThanOrEqual(30_000);
});
