import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LearnerShell } from "../learner-terminal.ts";

/** A folder for one test, with a learner's folder `p` and a shell that opens there. */
export interface TestLearner {
  readonly folder: string;
  readonly project: string;
  readonly shell: LearnerShell;
}

/** Returns a learner, who is removed at the end of the test. */
export function testLearner(rc = ""): TestLearner {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workbench-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const project = join(folder, "p");
  mkdirSync(project);
  const rcFile = join(folder, "session.bashrc");
  writeFileSync(rcFile, `PS1='(session) '\n${rc}`);
  const env = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8", HISTFILE: "" };
  return { folder, project, shell: { bash: "/bin/bash", rcFile, env, folder: () => project } };
}
