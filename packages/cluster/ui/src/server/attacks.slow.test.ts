import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { hasChromium, launchChromium } from "../testing/chromium.ts";
import type { UiServer } from "./create-ui-server.ts";
import { startServer } from "./testing/browser.ts";

/** Attacks from a page in the same browser, which has a session and sends its cookie where it may. */
let server: UiServer;
let browser: Browser;
let context: BrowserContext;
let evil: Server;
let html = "";
let effects: string[] = [];

describe.skipIf(!hasChromium())("in Chromium", () => {
  beforeAll(async () => {
    server = await startServer();
    server.post("/api/run", z.unknown(), () => effects.push("run"));
    server.get("/api/secret", () => {
      effects.push("read");
      return "s3cret";
    });
    server.socket("/api/shell", () => effects.push("shell"));
    evil = createServer((_request, response) => response.setHeader("content-type", "text/html").end(html));
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    evil?.close();
    await server?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.createUrl());
    expect(await page.locator('meta[name="csrf-token"]').count()).toBe(1);
    effects = [];
  });
  afterEach(() => context.close());

  /** Opens a page of the attacker. `localhost` is another site than 127.0.0.1, and another port the same site. */
  async function openEvil(host: "127.0.0.1" | "localhost", content = ""): Promise<Page> {
    html = `<!doctype html><body>${content}</body>`;
    const page = await context.newPage();
    await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
    return page;
  }

  /** Runs code in the attacker's page, and returns its result or the name of its error. */
  const attack = (page: Page, code: string) =>
    page.evaluate<string>(`(async () => { ${code} })().catch((error) => error.name)`);

  test("its own page may do all of it", async () => {
    const [page] = context.pages();
    const result = await page?.evaluate(`(async () => {
      const token = document.querySelector("meta[name=csrf-token]").content;
      const headers = { "content-type": "application/json", "x-csrf-token": token };
      const socket = new WebSocket(location.origin.replace("http", "ws") + "/api/shell");
      await new Promise((resolve) => { socket.onopen = resolve; });
      const post = await fetch("/api/run", { method: "POST", headers, body: "{}" });
      return [post.status, await (await fetch("/api/secret")).json()];
    })()`);
    expect(result).toEqual([200, "s3cret"]);
    expect(effects).toEqual(["shell", "run", "read"]);
  });

  describe.each(["127.0.0.1", "localhost"] as const)("a page of http://%s on another port", (host) => {
    test.each([
      ["reads", `return (await fetch(URL + "/api/secret", { credentials: "include" })).text();`],
      [
        "reads blindly",
        `return (await fetch(URL + "/api/secret", { credentials: "include", mode: "no-cors" })).type;`,
      ],
      [
        "mutates with JSON",
        `return (await fetch(URL + "/api/run", { ...POST, headers: JSON_TYPE })).text();`,
      ],
      ["mutates blindly", `return (await fetch(URL + "/api/run", { ...POST, mode: "no-cors" })).type;`],
      ["sends a beacon", `return String(navigator.sendBeacon(URL + "/api/run", "{}"));`],
    ])("%s without an effect", async (_name, code) => {
      const page = await openEvil(host);
      const names = `const URL = ${JSON.stringify(server.origin)};
        const POST = { method: "POST", body: "{}", credentials: "include" };
        const JSON_TYPE = { "content-type": "application/json" };`;
      expect(await attack(page, names + code)).not.toContain("s3cret");
      await settle();
      expect(effects).toEqual([]);
    });

    test("opens no WebSocket", async () => {
      const page = await openEvil(host);
      const code = `const socket = new WebSocket(${JSON.stringify(`${server.origin.replace("http", "ws")}/api/shell`)});
        return await new Promise((resolve) => {
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        });`;
      expect(await attack(page, code)).toBe("refused");
      expect(effects).toEqual([]);
    });

    test("submits a form without an effect", async () => {
      const form = `<form method="post" enctype="text/plain" action="${server.origin}/api/run">
        <input name='{"a":"' value='"}'></form>`;
      const page = await openEvil(host, form);
      await Promise.all([page.waitForNavigation(), page.evaluate("document.forms[0].submit()")]);
      expect(await page.textContent("body")).toMatch(/may not request this|has no session/);
      expect(effects).toEqual([]);
    });

    test("shows no frame of it, and loads no script of it", async () => {
      const content = `<iframe src="${server.origin}/"></iframe><script src="${server.origin}/assets/main.js"></script>`;
      const page = await openEvil(host, content);
      const frame = page.frames()[1];
      expect(await frame?.locator('meta[name="csrf-token"]').count()).toBe(0);
      expect(await attack(page, `return frames[0].document.body.innerHTML;`)).toMatch(/Error/);
    });
  });

  /** A request that follows the attack on the same server: whatever the attack sent has been answered then. */
  async function settle(): Promise<void> {
    const page = context.pages()[0];
    await page?.evaluate(`fetch("/assets/main.js").then((response) => response.text())`);
  }
});
