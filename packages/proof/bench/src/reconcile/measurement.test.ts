import { expect, test } from "vitest";
import { writesNeeded, writesOf } from "./measurement.ts";

test("counts requests other than reads as writes, and rejected ones as writes in vain", () => {
  const requests = {
    "GET 200": 6,
    "POST 201": 20,
    "POST 409": 1,
    "PUT 200": 10,
    "PUT 409": 3,
    "PATCH <error>": 1,
  };
  expect(writesOf({ requests })).toEqual({ sent: 35, inVain: 5 });
  expect(writesOf({ requests: {} })).toEqual({ sent: 0, inVain: 0 });
  expect(writesNeeded(1_000)).toBe(3_000);
});
