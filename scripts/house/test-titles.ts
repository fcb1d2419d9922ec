import { type CallExpression, type Expression, parseSync, Visitor } from "oxc-parser";

const functions = new Set(["test", "it"]);
/** What keeps a test from being run, on whatever machine. */
const idle = new Set(["skip", "todo", "fails"]);

/** Titles of the tests in a file, as they are written there: `test("…")`, `it.each(…)("…")`, with … for what a template fills in. */
export function testTitles(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text, { lang: "ts" });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const titles: string[] = [];
  new Visitor({
    CallExpression(node) {
      const title = literal(node.arguments[0]);
      const called = calledFunction(node);
      if (title === undefined || called === undefined) return;
      if (functions.has(called.name) && !called.modifiers.some((each) => idle.has(each))) titles.push(title);
    },
  }).visit(program);
  return titles;
}

/** Of `test.skipIf(x).each(y)(…)`: test, with skipIf and each. */
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

function literal(node: CallExpression["arguments"][number] | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.cooked).join("…");
}
