import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { repositoryRoot as root } from "../repository.ts";
import { openSession } from "./session.ts";

it("has a helm for the session's cluster if a page of the tutorial needs one", async () => {
  const undo = new AsyncDisposableStack();
  onTestFinished(() => undo.disposeAsync());
  const { signal } = new AbortController();
  const { env } = await openSession({ root, tutorial: "04-hybrid-helm-operator", signal }, undo);
  const { stdout } = await execa("helm", ["list", "--all-namespaces", "--output", "json"], { env });
  expect(JSON.parse(stdout)).toEqual([]);
});
