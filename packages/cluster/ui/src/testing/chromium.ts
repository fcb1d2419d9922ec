import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== "" && existsSync(path),
);

/** Returns whether this machine has Chromium. If not, says that tests are skipped. */
export function hasChromium(): boolean {
  if (executablePath === undefined) console.warn("skipped: install Chromium, or set CHROMIUM to its path");
  return executablePath !== undefined;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium refuses its own sandbox to root, as in containers.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}
