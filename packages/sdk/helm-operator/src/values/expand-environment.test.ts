// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts with environment variables
import { describe, expect, it } from "vitest";
import { expandEnvironment } from "./expand-environment.ts";

const environment = { A: "one", B_2: "two", _x: "under", "1": "digit", "a b": "spaced", E: "", money: "$A" };

describe("expandEnvironment", () => {
  // The right side is the output of Go's os.ExpandEnv with this environment.
  it.each([
    ["", ""],
    ["plain", "plain"],
    ["$A", "one"],
    ["${A}", "one"],
    ["$A$B_2", "onetwo"],
    ["${A}${B_2}", "onetwo"],
    ["x$A-y", "xone-y"],
    ["$Ab", ""],
    ["${A}b", "oneb"],
    ["$UNSET", ""],
    ["${UNSET}", ""],
    ["[$E]", "[]"],
    ["$", "$"],
    ["a$", "a$"],
    ["$$", ""],
    ["$$A", "A"],
    ["$ A", "$ A"],
    ["${", ""],
    ["${}", ""],
    ["${A", "A"],
    ["a${A b", "aA b"],
    ["${a b}", "spaced"],
    ["$1", "digit"],
    ["${1}", "digit"],
    ["$12", "digit2"],
    ["$*", ""],
    ["${*}", ""],
    ["$-", ""],
    ["$_x", "under"],
    ["\\$A", "\\one"],
    ["$A.b", "one.b"],
    ["€$A€", "€one€"],
    ["$é", "$é"],
    ["${é}", ""],
    ["${$}", ""],
    ["$}", "$}"],
    ["{$A}", "{one}"],
    ["$(A)", "$(A)"],
    ["%A%", "%A%"],
    ["$A$", "one$"],
    ["${A}}", "one}"],
    ["${{A}}", "}"],
  ])("%j is %j", (text, expected) => {
    expect(expandEnvironment(text, environment)).toBe(expected);
  });

  it("does not expand a variable's value, nor members that objects inherit", () => {
    expect(expandEnvironment("$money", environment)).toBe("$A");
    expect(expandEnvironment("[$constructor$__proto__$toString]", {})).toBe("[]");
  });
});
