import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createWorkingLine } from "./working-line.ts";

/** Shows what a terminal would, as far as these lines use it: the rows above, and the row of the cursor. */
function screen(isTTY: boolean, columns = 80) {
  let text = "";
  const stream = Object.assign(new EventEmitter(), {
    ...{ isTTY, columns },
    write: (part: string) => {
      const [first = "", ...rest] = part.split("\r\x1b[K");
      text += first;
      for (const piece of rest) text = text.slice(0, text.lastIndexOf("\n") + 1) + piece;
      return true;
    },
  });
  return { stream, shown: () => text };
}

describe("in a terminal", () => {
  it("shows what runs now, and nothing of it after the end", () => {
    const { stream, shown } = screen(true);
    const line = createWorkingLine(stream, {});
    line.doing("checking the types");
    expect(shown()).toBe("◒ checking the types");
    line.doing("running src/add.test.ts");
    expect(shown()).toBe("◒ running src/add.test.ts");
    line.clear();
    expect(shown()).toBe("");
    line[Symbol.dispose]();
    expect(shown()).toBe("");
  });

  it("ends before a line that would wrap", () => {
    const { stream, shown } = screen(true, 20);
    using line = createWorkingLine(stream, {});
    line.doing("running src/by-hand/watch-pods.test.ts");
    expect(shown()).toBe("◒ running src/by-h…");
  });

  it("prints plain lines with NO_COLOR", () => {
    const { stream, shown } = screen(true);
    using line = createWorkingLine(stream, { NO_COLOR: "1" });
    line.doing("checking the types");
    line.clear();
    line.doing("running src/add.test.ts");
    expect(shown()).toBe("checking the types …\nrunning src/add.test.ts …\n");
  });
});

it.each([
  ["without a terminal", false, {}],
  ["in CI", true, { CI: "true" }],
])("prints nothing %s", (_, isTTY, env) => {
  const { stream, shown } = screen(isTTY);
  using line = createWorkingLine(stream, env);
  line.doing("checking the types");
  expect(shown()).toBe("");
});
