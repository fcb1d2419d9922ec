import { mkdtemp, rm, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Session } from "./session.ts";
import { runCommand } from "./shown-command.ts";

it("ends a command that would never end when the session is aborted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "command-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const abort = new AbortController();
  const changes = watch(folder, { signal: AbortSignal.timeout(60_000) })[Symbol.asyncIterator]();
  const begun = changes.next();
  const session = { signal: abort.signal, env: process.env, tutorial: folder } as Partial<Session> as Session;
  const running = runCommand("touch begun; exec tail -f /dev/null", session);
  await begun;
  abort.abort(new Error("interrupted"));
  await expect(running).rejects.toThrow("interrupted");
});
