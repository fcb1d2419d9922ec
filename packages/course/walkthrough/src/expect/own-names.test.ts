import { expect, it } from "vitest";
import { withoutOwnNames } from "./own-names.ts";

it.each([
  ["added sh to payment-1.0.0-cd94d9759-m5cjx", "added sh to <any Pod of payment-1.0.0>"],
  ["deployment/payment-1.0.0 created", "deployment/payment-1.0.0 created"],
  ["6b0e6d2b-5f0c-4a57-9d7f-3f2a1c8e9b40", "<any UID>"],
])("says what the page's own names stand for: %s", (text, shown) => {
  expect(withoutOwnNames(text)).toBe(shown);
});
