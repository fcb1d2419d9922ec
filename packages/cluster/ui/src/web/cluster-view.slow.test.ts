import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deployments, events, namespaces } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterPage, openClusterPage } from "../open-cluster-page.ts";
import { drawn, hasChromium, launchChromium } from "../testing/chromium.ts";

let cluster: TestCluster;
let view: ClusterPage;
let browser: Browser;
/** Whatever the browser complains about, such as a violation of the security policy. */
const complaints: string[] = [];

const web = (replicas: number) => ({
  metadata: { name: "web" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "nginx" }] },
    },
  },
});
const shop = () => cluster.client.resource(deployments).namespace("shop");

async function openPage(options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(view.createUrl());
  await page.locator(".node").first().waitFor();
  return page;
}

const pods = (page: Page) => page.locator(".node", { hasText: /Pod/ });

describe.skipIf(!hasChromium())("the view of a cluster in Chromium", () => {
  beforeAll(async () => {
    cluster = await startTestCluster({ controllers: true });
    await cluster.client.resource(namespaces).create({ metadata: { name: "shop" } });
    view = await openClusterPage({ kubeConfig: cluster.kubeConfig });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await view?.close();
    await cluster?.stop();
  });

  test("shows objects as they appear, change and disappear, and the cluster as it was", async () => {
    const page = await openPage();
    expect(page.url()).not.toContain("token");
    await shop().create(web(2), { fieldManager: "kubectl-create" });
    await expect.poll(() => pods(page).count()).toBe(2);
    await expect.poll(() => pods(page).filter({ hasText: "Running" }).count()).toBe(2);

    await page.locator(".node", { hasText: "Deployment" }).click();
    await shop().patch("web", { spec: { replicas: 1 } }, { type: "merge", fieldManager: "shop-operator" });
    await expect.poll(() => pods(page).count()).toBe(1);
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByText("spec.replicas: 2 → 1").first().waitFor();

    // By keyboard, to the first entry: before the Deployment existed.
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("Home");
    await page.getByText("as of").first().waitFor();
    await expect.poll(() => pods(page).count()).toBe(0);
    await page.keyboard.press("End");
    await expect.poll(() => pods(page).count()).toBe(1);
    await page.close();
  });

  test("draws the time line in the colours of a new theme, also in the past", async () => {
    const page = await openPage({ colorScheme: "light" });
    await shop().create({ ...web(0), metadata: { name: "painted" } });
    await page.locator(".node", { hasText: "painted" }).first().waitFor();
    // The border of a lane. New entries change the rest of the picture.
    const picture = () =>
      page.evaluate<string>(
        "[...document.querySelector('.lanes canvas').getContext('2d').getImageData(0, 17, 1, 1).data].join()",
      );
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("Home");
    await page.getByText("as of").first().waitFor();
    await drawn(page);
    const light = await picture();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(picture).not.toBe(light);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(picture).toBe(light);
    await shop().delete("painted");
    await page.close();
  });

  test("Live does nothing while the view is live, and an Event says how often it occurred", async () => {
    const page = await openPage();
    const made = await shop().create({ ...web(0), metadata: { name: "eventful" } });
    const { uid } = made.metadata ?? {};
    const involvedObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: "shop",
      name: "eventful",
      uid,
    };
    const event = {
      ...{ involvedObject, type: "Warning", reason: "Failed", message: "no such image", count: 5 },
    };
    await cluster.client
      .resource(events)
      .create({ metadata: { name: "eventful.1", namespace: "shop" }, ...event });
    const entry = page.locator(".feed-entry", { hasText: "Failed: no such image" });
    await expect.poll(() => entry.textContent()).toMatch(/^Event×5Deployment/);
    const live = page.getByRole("button", { name: "Live", exact: true });
    await live.click();
    await shop().patch("eventful", { metadata: { labels: { a: "b" } } }, { type: "merge" });
    await page.getByText("metadata.labels").first().waitFor();
    expect(await live.getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByText("as of").count()).toBe(0);
    await shop().delete("eventful");
    await page.close();
  });

  test("marks the last change of an object, also of its past", async () => {
    const page = await openPage();
    await page.locator(".node", { hasText: "Deployment" }).click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await page.locator("pre.yaml").getByText("replicas: 1").first().waitFor();
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByText("spec.replicas: 2 → 1").first().click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect.poll(() => page.locator("pre.yaml ins").allTextContents()).toContain("  replicas: 1\n");
    expect(await page.locator("pre.yaml del").allTextContents()).toContain("  replicas: 2\n");
    await page.close();
  });

  test("shows a deleted object as it was last", async () => {
    const page = await openPage();
    await shop().create({ ...web(0), metadata: { name: "short-lived" } });
    await page.locator(".node", { hasText: "short-lived" }).first().waitFor();
    await shop().delete("short-lived");
    await page.locator(".feed-entry", { hasText: /^deletedDeployment.*short-lived/ }).click();
    const detail = page.getByRole("region", { name: "Details" });
    await detail.getByText("deleted", { exact: true }).waitFor();
    await detail.locator("pre.yaml").getByText("name: short-lived").waitFor();
    await page.close();
  });

  test("reads the log and the Events of a Pod", async () => {
    const page = await openPage();
    await pods(page).first().click();
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("Scheduled", { exact: true }).waitFor();
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("Home");
    await page.getByText("No Events up to this time.").waitFor();
    await page.keyboard.press("End");
    await page.getByText("Scheduled", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Logs" }).click();
    await expect.poll(() => page.getByLabel("Container").inputValue()).toBe("web");
    await page
      .locator("pre.log")
      .getByText(/nginx|start/i)
      .first()
      .waitFor();
    await page.close();
  });

  test("works by keyboard: arrows along the graph, the search, and tabs", async () => {
    const page = await openPage();
    const selected = () => page.locator(".node[aria-pressed=true]").textContent();
    await page.keyboard.press("/");
    await page.keyboard.type("web");
    await page.keyboard.press("Escape");
    await page.locator(".node[tabindex='0']").focus();
    await page.keyboard.press("Enter");
    expect(await selected()).toContain("Deployment");
    // Faster than a frame: the focus has not followed the first key when the second comes.
    await page.evaluate(`(async () => {
      const key = () => document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      key();
      await Promise.resolve();
      key();
    })()`);
    await expect.poll(selected).toContain("Pod");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(selected).toContain("ReplicaSet");
    await page.getByRole("tab", { name: "YAML" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Events" }).getAttribute("aria-selected")).toBe("true");

    // Frames come late, and the reader has left the graph by then.
    await page.evaluate("globalThis.requestAnimationFrame = (callback) => setTimeout(callback, 100)");
    await page.locator(".node", { hasText: "ReplicaSet" }).first().press("ArrowRight");
    await page.getByRole("tab", { name: "Events" }).focus();
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))",
    );
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Events");
    await page.close();
  });

  test("lets objects jump while many appear, and shows earlier changes on request", async () => {
    const page = await openPage();
    // A graph is busy for a moment only: the browser looks at each frame.
    let moves: unknown;
    const looks = page
      .evaluate(`new Promise((resolve) => {
        const look = () => {
          const node = document.querySelector(".graph.is-busy .node");
          if (node) resolve(getComputedStyle(node).transitionProperty);
          else requestAnimationFrame(look);
        };
        look();
      })`)
      .then((value) => {
        moves = value;
      });
    let made = 0;
    // Several at once: on a busy machine one after another might never be many.
    while (made < 10 || (moves === undefined && made < 200)) {
      const names = Array.from({ length: 10 }, () => `busy-${made++}`);
      await Promise.all(names.map((name) => shop().create({ ...web(0), metadata: { name } })));
    }
    await looks;
    expect(moves).toBe("none");
    await expect.poll(() => page.locator(".feed > li").count()).toBe(30);
    await page.getByRole("button", { name: "Show earlier changes" }).click();
    await expect.poll(() => page.locator(".feed > li").count()).toBeGreaterThan(30);
    for (let n = 0; n < made; n++) await shop().delete(`busy-${n}`);
    await page.close();
  });

  test("keeps the sizes of its panes and the range of the time line over a reload", async () => {
    const page = await openPage();
    await page.locator(".node", { hasText: "Deployment" }).first().click();
    const side = async () => Math.round((await page.locator(".side").boundingBox())?.width ?? 0);
    const graph = async () => Math.round((await page.locator(".graph").boundingBox())?.height ?? 0);
    const lanes = page.getByRole("button", { name: "Lanes of the time line" });
    const [width, height] = [await side(), await graph()];
    await page.getByRole("separator", { name: "Resize: Details" }).focus();
    for (let n = 0; n < 5; n++) await page.keyboard.press("ArrowLeft");
    await expect.poll(side).toBeGreaterThan(width + 100);
    const wide = await side();
    // A border stops at the least size of a pane.
    await page.getByRole("separator", { name: "Resize: Time line" }).focus();
    for (let n = 0; n < 60; n++) await page.keyboard.press("ArrowUp");
    await expect.poll(graph).toBe(120);
    await page.getByRole("button", { name: "10 min" }).click();
    await lanes.click();
    await expect.poll(graph).toBeGreaterThan(height + 100);
    await page.reload();
    await page.locator(".node").first().waitFor();
    expect(await side()).toBe(wide);
    expect(await page.getByRole("button", { name: "10 min" }).getAttribute("aria-pressed")).toBe("true");
    expect(await lanes.getAttribute("aria-expanded")).toBe("false");
    await page.close();
  });

  test("keeps the graph in a low pane, and cuts no control in a narrow one", async () => {
    const page = await openPage({ viewport: { width: 640, height: 160 } });
    expect((await page.locator(".graph").boundingBox())?.height).toBeGreaterThanOrEqual(60);
    const bar = await page.locator(".timeline").boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(160);
    await page.setViewportSize({ width: 640, height: 480 });
    await page.getByText(/None\. An operator that runs in a Pod reports none\./).waitFor();
    await pods(page).first().click();
    await page.getByRole("tab", { name: "Logs" }).click();
    const foldAt = async () => {
      const fold = await page.getByRole("button", { name: "Lanes of the time line" }).boundingBox();
      const timeline = await page.locator(".timeline").boundingBox();
      return { right: (fold?.x ?? 0) + (fold?.width ?? 0), top: (fold?.y ?? 0) - (timeline?.y ?? 0) };
    };
    const live = await foldAt();
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("as of").first().waitFor();
    for (const width of [640, 520, 400, 384, 340]) {
      await page.setViewportSize({ width, height: 480 });
      const fold = await foldAt();
      expect(fold.right).toBeLessThanOrEqual(width);
      // A border may move it by a pixel.
      expect(Math.abs(fold.top - live.top)).toBeLessThanOrEqual(1);
      const label = await page.getByText("Before the last restart").boundingBox();
      expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    await page.close();
  });

  test("says that the server is gone, and continues by itself when it is back", async () => {
    const page = await browser.newPage();
    let isGone = false;
    const sockets: { close(): Promise<void> }[] = [];
    await page.routeWebSocket(/changes/, async (socket) => {
      if (isGone) return socket.close();
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto(view.createUrl());
    const timeline = page.getByRole("region", { name: "Time line" });
    await timeline.getByRole("button", { name: "Live" }).waitFor();
    isGone = true;
    for (const socket of sockets) await socket.close();
    await timeline.getByRole("button", { name: "Disconnected" }).waitFor();
    await shop().create({ ...web(0), metadata: { name: "meanwhile" } });
    isGone = false;
    await timeline.getByRole("button", { name: "Live" }).waitFor();
    await page.getByRole("button", { name: /^meanwhile Deployment/ }).waitFor();
    await shop().delete("meanwhile");
    await page.close();
  });

  test("notices a server that hangs while its socket stays open", async () => {
    const page = await browser.newPage();
    let hangs = false;
    await page.routeWebSocket(/changes/, (socket) => {
      const behind = socket.connectToServer();
      behind.onMessage((message) => {
        if (!hangs) socket.send(message);
      });
    });
    await page.goto(view.createUrl());
    const timeline = page.getByRole("region", { name: "Time line" });
    await timeline.getByRole("button", { name: "Live" }).waitFor();
    hangs = true;
    await timeline.getByRole("button", { name: "Disconnected" }).waitFor();
    hangs = false;
    await timeline.getByRole("button", { name: "Live" }).waitFor();
    await page.close();
  });

  test("a reload shows the same, and a used URL shows what to do", async () => {
    const page = await openPage();
    await page.reload();
    await expect.poll(() => pods(page).count()).toBe(1);
    await page.close();
    const other = await browser.newPage();
    await other.goto(view.url);
    await other.locator(".node").first().waitFor();
    const stranger = await browser.newPage();
    await stranger.goto(view.url);
    expect(await stranger.textContent("body")).toContain("open the URL that the command printed");
    await other.close();
    await stranger.close();
  });

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [400, "light"],
    [400, "dark"],
  ] as const)("has no serious problem of accessibility at %i pixels, %s", async (width, colorScheme) => {
    const page = await openPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" });
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const isOpen of [false, true]) {
      if (isOpen) await page.locator(".node").first().click();
      // Evaluated by the browser's debugger, which the security policy of the page does not restrict.
      await page.evaluate(axe);
      const { violations } = await page.evaluate<{
        violations: { id: string; impact: string; nodes: unknown[] }[];
      }>("axe.run()");
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0])}`)).toEqual([]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.close();
  });

  test("gives the browser nothing to complain about", () => {
    // The stranger's page above is refused, on purpose.
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });
});
