import { parseSync } from "oxc-parser";
import { applyChange, type LineChange, lineChange } from "./mutant.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * Returns one change for each mistake that a controller could have: a missing call, a swallowed error, a
 * missing namespace, a negated condition, an immediate requeue, a number off by one.
 *
 * @param path selects the language. The file is not read
 */
export function mutateCode(path: string, source: string): LineChange[] {
  const found: LineChange[] = [];
  const text = ({ start, end }: Node): string => source.slice(start, end);
  const change = (
    operator: string,
    { start, end }: Pick<Node, "start" | "end">,
    replacement: string,
  ): void => {
    found.push(lineChange(source, { operator, start, end, text: replacement }));
  };
  visit(parseSync(path, source).program, (node) => {
    const call = callOf(node);
    if (node.type === "ExpressionStatement" && call) {
      change("drop a call", node, "");
      if (node.expression !== call && isWrite(call, text))
        change(
          "swallow an error",
          node.expression as Node,
          `${text(node.expression as Node)}.catch(() => {})`,
        );
    }
    if (node.type === "ThrowStatement") change("swallow an error", node, "return undefined as never;");
    if (node.type === "CallExpression") {
      const callee = node.callee as Node;
      const [first] = node.arguments as Node[];
      const method = callee.type === "MemberExpression" ? text(callee.property as Node) : "";
      // `() => {}` swallows the error already.
      if (method === "catch" && first && !/^\(\w*\) => (?:\{\}|undefined)$/.test(text(first)))
        change("swallow an error", first, "() => undefined");
      if (method === "namespace" && first) change("swap a namespace", first, '"kube-system"');
      if (method === "addAfter" || method === "addRateLimited")
        change(
          "requeue at once",
          { start: (callee.property as Node).start, end: node.end },
          `add(${first ? text(first) : ""})`,
        );
    }
    if (node.type === "Property" && nameOf(node) === "namespace") {
      change("swap a namespace", node, 'namespace: "kube-system"');
      if (source[node.end] === ",") change("look everywhere", { start: node.start, end: node.end + 1 }, "");
    }
    if (node.type === "Property" && nameOf(node) === "requeueAfter")
      change("requeue at once", node.value as Node, "1");
    if (node.type === "ReturnStatement" && /^return \{\};?$/.test(text(node)))
      change("requeue at once", node, "return { requeueAfter: 1 };");
    if (node.type === "IfStatement")
      change("negate a condition", node.test as Node, `!(${text(node.test as Node)})`);
    if (node.type === "Literal" && typeof node.value === "number")
      change("number", node, String(node.value + 1));
  });
  return found.filter((one) => parseSync(path, applyChange(source, one)).errors.length === 0);
}

const writes = /\.(?:create|update|patch|delete|deleteAll|apply|updateStatus|patchStatus)$/;

function isWrite(call: Node, text: (node: Node) => string): boolean {
  return writes.test(text(call.callee as Node));
}

/** Returns the call that a statement consists of, with or without `await`. */
function callOf(node: Node): Node | undefined {
  let expression = node.expression as Node | undefined;
  if (expression?.type === "AwaitExpression") expression = expression.argument as Node;
  return expression?.type === "CallExpression" ? expression : undefined;
}

function nameOf(property: Node): unknown {
  return (property.key as { name?: unknown }).name;
}

function visit(node: unknown, look: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, look);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  if (typeof (node as Node).type === "string") {
    // Types have no effect at run time.
    if (/^TS(?:Type|Interface)/.test((node as Node).type)) return;
    look(node as Node);
    // The properties of a pattern name variables, not arguments.
    if ((node as Node).type === "ObjectPattern") return;
  }
  for (const value of Object.values(node)) visit(value, look);
}
