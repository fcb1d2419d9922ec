import { expect, test } from "vitest";
import { checkProviderOptions, type ProviderOptions } from "./options.ts";

test.each<[ProviderOptions, string]>([
  [{ provider: "embedded", reuse: "dev" }, "--reuse is for --provider kind"],
  [{ reuse: "dev" }, "--reuse is for --provider kind"],
  [{ provider: "kind", context: "dev" }, "--context is for --provider existing"],
  [{ provider: "kind", yes: true }, "--yes is for --provider existing"],
  [{ provider: "envtest", allowInsecureTls: true }, "--allow-insecure-tls is for --provider existing"],
  [{ provider: "existing" }, "--provider existing needs --context"],
])("rejects %j", (options, message) => {
  expect(() => checkProviderOptions(options)).toThrow(message);
});

test("accepts flags that fit together", () => {
  checkProviderOptions({ provider: "kind", reuse: "dev", yes: true });
  checkProviderOptions({ provider: "existing", context: "dev", yes: true, allowExecPlugin: true });
});
