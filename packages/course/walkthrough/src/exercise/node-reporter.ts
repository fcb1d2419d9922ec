// A reporter for `node --test`. It prints a line of JSON for each test, each suite, and each write to stderr.
import type { TestEvent } from "node:test/reporters";

/** One line of the report. */
export interface ReportedTest {
  readonly kind: "test" | "suite" | "stderr";
  readonly name: string;
  /** 0 outside of suites. A suite comes after its tests. */
  readonly nesting: number;
  readonly status: "passed" | "failed" | "skipped";
  readonly message: string;
  /** The error's stack. Empty without an error. */
  readonly stack: string;
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const line = lineOf(event);
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}

function lineOf(event: TestEvent): ReportedTest | undefined {
  if (event.type === "test:stderr")
    return { kind: "stderr", name: "", nesting: 0, status: "passed", message: event.data.message, stack: "" };
  if (event.type !== "test:pass" && event.type !== "test:fail") return undefined;
  const { name, nesting, skip, todo, details } = event.data;
  const error = event.type === "test:fail" ? event.data.details.error : undefined;
  const cause = error?.cause instanceof Error ? error.cause : error;
  // A failed hook reports tests that have not run.
  const notRun = /cancelledByParent|hookFailed/.test(String(Reflect.get(error ?? {}, "failureType")));
  const skipped = skip !== undefined || todo !== undefined || notRun;
  return {
    kind: details.type === "suite" ? "suite" : "test",
    name,
    nesting,
    status: skipped ? "skipped" : event.type === "test:pass" ? "passed" : "failed",
    message: cause ? `${cause.name}: ${cause.message}`.trimEnd() : "",
    stack: cause?.stack ?? "",
  };
}
