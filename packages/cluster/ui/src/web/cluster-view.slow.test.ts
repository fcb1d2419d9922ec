import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deployments, namespaces } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterPage, openClusterPage } from "../open-cluster-page.ts";
import { hasChromium, launchChromium } from "../testing/chromium.ts";

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

  test("reads the log and the Events of a Pod", async () => {
    const page = await openPage();
    await pods(page).first().click();
    await page.getByRole("tab", { name: "Events" }).click();
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
    await page.keyboard.press("ArrowRight");
    await expect.poll(selected).toContain("ReplicaSet");
    await page.keyboard.press("ArrowRight");
    await expect.poll(selected).toContain("Pod");
    await page.getByRole("tab", { name: "YAML" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Events" }).getAttribute("aria-selected")).toBe("true");
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
