import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== "" && existsSync(path),
);

/** Returns whether this machine has Chromium. If not, says that tests are skipped. */
export function hasChromium(): boolean {
  if (executablePath === undefined) console.warn("skipped: install Chromium, or set CHROMIUM to its path");
  return executablePath !== undefined;
}

/** Milliseconds for what a page waits for. It catches hangs: a busy machine may be slower than Playwright's 30 s. */
const patience = 120_000;

export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium refuses its own sandbox to root, as in containers.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  browser.on("context", (context) => context.setDefaultTimeout(patience));
  return browser;
}

/** Waits until what the document says now has been measured and drawn: the effects of its components have run. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
}
