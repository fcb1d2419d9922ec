import { type CallExpression, type Expression, parseSync, Visitor } from "oxc-parser";

const functions = new Set(["test", "it"]);
/** Modifiers that keep a test from running on any machine. */
const idle = new Set(["skip", "todo", "fails"]);

/** Whether a file contains a test that runs: `test("…")` or `it.each(…)("…")`, but not `test.skip("…")`. */
export function hasRunningTest(file: string, text: string): boolean {
  const { program, errors } = parseSync(file, text, { lang: "ts" });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  let found = false;
  new Visitor({
    CallExpression(node) {
      const called = calledFunction(node);
      if (called === undefined || !isTitle(node.arguments[0])) return;
      found ||= functions.has(called.name) && !called.modifiers.some((each) => idle.has(each));
    },
  }).visit(program);
  return found;
}

/** Returns the called function and its modifiers: `test` with `skipIf` and `each` for `test.skipIf(x).each(y)(…)`. */
function calledFunction(node: CallExpression): { name: string; modifiers: string[] } | undefined {
  const modifiers: string[] = [];
  let at: Expression = node.callee;
  while (at.type !== "Identifier") {
    if (at.type === "CallExpression") at = at.callee;
    else if (at.type === "TaggedTemplateExpression") at = at.tag;
    else if (at.type === "MemberExpression" && at.property.type === "Identifier") {
      modifiers.push(at.property.name);
      at = at.object;
    } else return undefined;
  }
  return { name: at.name, modifiers };
}

/** Whether an argument is a text, as a title is. The first argument of `it.each` is not. */
function isTitle(node: CallExpression["arguments"][number] | undefined): boolean {
  return node?.type === "TemplateLiteral" || (node?.type === "Literal" && typeof node.value === "string");
}
