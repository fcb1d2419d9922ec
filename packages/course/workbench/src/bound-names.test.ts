import { parsePage } from "@operator-path/walkthrough";
import { expect, test } from "vitest";
import { adviceFor } from "./bound-names.ts";

const fence = "```";
const block = (commands: string): string => `${fence}console\n${commands}\n${fence}\n`;
const diff = [{ kind: "+", text: 'pods "a" not found' }] as const;

/** Returns the advice for the last command of a page, whose Pod is not found. */
function adviceAtEndOf(body: string) {
  const page = parsePage(`---\ntitle: Try\nproject: p\n---\n${body}`, "page.md");
  const last = page.steps.at(-1)?.blocks.at(-1);
  const entry = last?.kind === "console" ? last.entries[0] : undefined;
  if (last?.kind !== "console" || !entry) throw new Error("the page ends without a command");
  return adviceFor({ page, block: last, entry, diff, gone: [], other: undefined, isDone: () => true });
}

test("says to set a variable again that this step sets", () => {
  expect(adviceAtEndOf(`## Ask\n\n${block("$ POD=a")}\n${block("$ get $POD")}`)).toEqual({
    text: "Set POD again: run `POD=a` above. Then run this again.",
  });
});

test("names the step that sets a variable, if that is another one", () => {
  expect(adviceAtEndOf(`## Find the Pod\n\n${block("$ POD=a")}\n## Ask\n\n${block("$ get $POD")}`)).toEqual({
    text: 'Set POD again: run `POD=a` in the step "Find the Pod". Then run this again.',
    step: { slug: "find-the-pod", title: "Find the Pod" },
  });
});
