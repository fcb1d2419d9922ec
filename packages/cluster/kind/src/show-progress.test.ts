import { expect, it } from "vitest";
import { showProgress } from "./show-progress.ts";

function shown(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): string {
  let text = "";
  const show = showProgress({ ...stream, write: (part) => (text += part) }, env);
  show({ type: "note", text: "Creating cluster" });
  show({ type: "begun", step: "Preparing nodes" });
  show({ type: "done", step: "Preparing nodes", seconds: 4.25 });
  show({ type: "begun", step: "Starting control-plane" });
  show({ type: "failed", step: "Starting control-plane", seconds: 10 });
  return text;
}

const plain = "  Creating cluster\n  ✓ Preparing nodes  4.3 s\n  ✗ Starting control-plane  10.0 s\n";

it("is a line a step without a terminal, and in CI", () => {
  expect(shown({}, {})).toBe(plain);
  expect(shown({ isTTY: true }, { CI: "true", NO_COLOR: "1" })).toBe(plain);
  expect(shown({ isTTY: true }, { TERM: "dumb", NO_COLOR: "1" })).toBe(plain);
});

it("shows on a terminal what goes on, on one line that is taken away again", () => {
  const text = shown({ isTTY: true, columns: 20 }, { NO_COLOR: "1" });
  expect(text).toContain("\r\u001b[K  ⠋ Preparing nodes\r\u001b[K  ✓ Preparing nodes  4.3 s\n");
  expect(shown({ isTTY: true }, {})).toContain("\u001b[32m✓\u001b[39m Preparing nodes");
});
