import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser } from "./open-browser.ts";

const url = "http://127.0.0.1:40123/?token=x";

/** A folder with a browser that notes the URL it is given. */
function browser(): { readonly PATH: string; readonly opened: () => string } {
  const folder = mkdtempSync(join(tmpdir(), "open-browser-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\necho "$1" > '${folder}/opened'\n`, { mode: 0o755 });
  const opened = () => {
    try {
      return readFileSync(join(folder, "opened"), "utf8").trim();
    } catch {
      return "";
    }
  };
  return { PATH: `${folder}:/usr/bin:/bin`, opened };
}

test.runIf(process.platform === "linux")("opens the browser of a desktop", async () => {
  const { PATH, opened } = browser();
  expect(await openBrowser(url, { PATH, DISPLAY: ":0" })).toBe(true);
  await expect.poll(opened).toBe(url);
});

test.runIf(process.platform === "linux").each([
  ["without a desktop", {}],
  ["over SSH", { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }],
  ["in CI", { DISPLAY: ":0", CI: "true" }],
])("opens none %s", async (_where, env) => {
  const { PATH, opened } = browser();
  expect(await openBrowser(url, { PATH, ...env })).toBe(false);
  expect(opened()).toBe("");
});

test.runIf(process.platform === "linux")("says so if there is no browser", async () => {
  expect(await openBrowser(url, { PATH: "/nowhere", DISPLAY: ":0" })).toBe(false);
});
