import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { drawn, hasChromium } from "@operator-path/ui/testing";
import { describe, expect, test } from "vitest";
import { openInChromium, seriousViolations } from "./testing/open-in-chromium.ts";

const tsconfig = JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", types: [] } });

describe.skipIf(!hasChromium())("the editor in Chromium", () => {
  const open = openInChromium();

  test("writes a file, edits it, and follows it on disk", async () => {
    const { page, learner } = await open();
    const file = join(learner.project, "src/a.ts");
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    const editor = page.locator(".cm-content");
    await expect.poll(() => editor.textContent()).toContain("const a = 1;");
    await page.getByText("Wrote src/a.ts.").waitFor();
    await page.getByRole("button", { name: "Next: Write more" }).click();
    await page.getByRole("button", { name: "Write it: src/b.ts" }).waitFor();
    expect(await page.getByText("Wrote src/a.ts.").count()).toBe(0);
    await page.getByRole("button", { name: /^Write, / }).click();
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("const b = 4 / 2;");
    await page.keyboard.press("Control+s");
    await expect.poll(() => readFileSync(file, "utf8")).toBe("const a = 1;\nconst b = 4 / 2;");
    writeFileSync(file, "const c = 3;\n");
    await expect.poll(() => editor.textContent()).toBe("const c = 3;");
    await page.getByRole("button", { name: "Show mine beside it" }).click();
    await page.locator(".cm-deletedChunk", { hasText: "const c = 3;" }).waitFor();
    await page.locator(".cm-changedLine", { hasText: "const a = 1;" }).waitFor();
    await page.getByText("Struck-out lines are yours").waitFor();
    await page.setViewportSize({ width: 2400, height: 800 });
    await expect
      .poll(() => page.locator(".cm-mergeView").textContent())
      .toMatch(/const c = 3;.*const a = 1;/s);
    await page.getByText("Yours", { exact: true }).waitFor();
    await page.getByText("The page's", { exact: true }).waitFor();
  });

  test("leaves the cursor to a learner who types while the file is read again", async () => {
    const { page } = await open();
    const late = Promise.withResolvers<void>();
    let asked = 0;
    let answered = 0;
    await page.route("**/api/file?*", async (route) => {
      asked += 1;
      if (asked > 1) await late.promise;
      await route.fulfill({ response: await route.fetch() });
      answered += 1;
    });
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    const editor = page.getByRole("textbox", { name: "src/a.ts" });
    await expect.poll(() => editor.textContent()).toBe("const a = 1;");
    await expect.poll(() => asked).toBeGreaterThan(1);
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mi");
    late.resolve();
    await expect.poll(() => answered).toBe(asked);
    await drawn(page);
    await page.keyboard.type("ne");
    expect(await editor.textContent()).toBe("const a = 1;// mine");
  });

  test("shows a change that comes while it opens", async () => {
    const { page, learner } = await open();
    const file = join(learner.project, "a.json");
    writeFileSync(file, "old\n");
    let goOn = (): void => undefined;
    const changed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/code-editor/, async (route) => {
      await changed;
      await route.continue();
    });
    let seen = 0;
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes('"changed":"later.json"')) seen += 1;
      }),
    );
    await page.reload();
    await page.getByRole("tab", { name: "Editor" }).click();
    const read = page.waitForResponse(/api\/file/);
    await page.locator(".file-item", { hasText: "a.json" }).click();
    await (await read).finished();
    writeFileSync(file, "new\n");
    writeFileSync(join(learner.project, "later.json"), "{}\n");
    // The server reports each change twice.
    await expect.poll(() => seen).toBeGreaterThanOrEqual(2);
    goOn();
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("new");
  });

  test.each(["light", "dark"] as const)("searches in one row that can be read, %s", async (colorScheme) => {
    const { page } = await open({ colorScheme });
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    await page.getByRole("textbox", { name: "src/a.ts" }).press("Control+f");
    await page.keyboard.type("const");
    await page.locator(".cm-searchMatch").waitFor();
    const panel = page.locator(".cm-search");
    const heights = [panel, panel.getByRole("textbox", { name: "Replace" })].map((one) =>
      one.evaluate((element) => element.getBoundingClientRect().height),
    );
    const [row = 0, field = 0] = await Promise.all(heights);
    expect(row).toBeLessThan(2 * field);
    expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test("keeps the text in its place while its file's state changes, and shows the open file's tab", async () => {
    const { page, learner } = await open();
    const paths = [1, 2, 3, 4, 5, 6].map((i) => `a-file-with-a-long-name-${i}.json`);
    for (const path of paths) writeFileSync(join(learner.project, path), "{}\n");
    await page.getByRole("tab", { name: "Editor" }).click();
    await page.locator(".file-item").first().click();
    await page.getByRole("button", { name: "Files" }).click();
    for (const path of paths) {
      await page.locator(".file-item", { hasText: path }).click();
      const tab = page.locator(".file-tab.open", { hasText: path });
      await tab.waitFor();
      const right = () => tab.evaluate((element) => element.getBoundingClientRect().right);
      // Chromium scrolls by whole pixels.
      await expect.poll(right).toBeLessThan(1281);
    }
    const text = page.locator(".code-mirror");
    const top = () => text.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.getByRole("textbox", { name: paths.at(-1) ?? "" }).focus();
    await page.keyboard.type("long ".repeat(80));
    await page.getByRole("button", { name: "Save", exact: true }).waitFor();
    expect(await top()).toBe(before);
    expect(await page.evaluate("document.scrollingElement.scrollLeft")).toBe(0);
  });

  test("has room for 20 lines of 80 columns, and wraps a comparison", async () => {
    const { page, learner } = await open();
    writeFileSync(join(learner.project, "tsconfig.json"), tsconfig);
    await page.getByRole("button", { name: "Write more, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/b.ts" }).click();
    await page.getByRole("button", { name: "No problems" }).waitFor();
    const { lines, columns } = await page.evaluate<{ lines: number; columns: number }>(`(() => {
      const scroller = document.querySelector(".cm-scroller");
      const line = document.querySelector(".cm-line");
      const range = document.createRange();
      range.selectNodeContents(line);
      const character = range.getBoundingClientRect().width / line.textContent.length;
      const gutters = document.querySelector(".cm-gutters").offsetWidth;
      const { paddingLeft } = getComputedStyle(line);
      return {
        lines: scroller.clientHeight / line.offsetHeight,
        columns: (scroller.clientWidth - gutters - parseFloat(paddingLeft)) / character,
      };
    })()`);
    expect(lines).toBeGreaterThanOrEqual(20);
    expect(columns).toBeGreaterThanOrEqual(80);
    await page.getByRole("button", { name: "Show mine beside it" }).click();
    const texts = page.locator(".code-mirror .cm-scroller");
    const hidden = () =>
      texts.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    await page.getByText("Struck-out lines are yours").waitFor();
    await expect.poll(hidden).toEqual([0]);
    await page.setViewportSize({ width: 2400, height: 800 });
    await expect.poll(hidden).toEqual([0, 0]);
  });

  test("shows a call's parameters above its line, until Escape", async () => {
    const { page, learner } = await open();
    writeFileSync(join(learner.project, "tsconfig.json"), tsconfig);
    const more = " * A long description of what it does, with many words.\n".repeat(30);
    const parameters = ["first", "second", "third"].map(
      (name) => `${name}: Record<string, readonly number[]>`,
    );
    writeFileSync(
      join(learner.project, "long.ts"),
      `/**\n${more} */\nexport function long(${parameters.join(", ")}): void {}\n`,
    );
    writeFileSync(join(learner.project, "use.ts"), 'import { long } from "./long.js";\n');
    await page.getByRole("tab", { name: "Editor" }).click();
    await page.locator(".file-item", { hasText: "use.ts" }).click();
    await page.getByRole("button", { name: "No problems" }).waitFor();
    await page.getByRole("textbox", { name: "use.ts" }).press("Control+End");
    await page.keyboard.type("long(");
    const tooltip = page.locator(".cm-lsp-signature-tooltip");
    await tooltip.waitFor();
    const isAbove = () =>
      page.evaluate<boolean>(`
        document.querySelector(".cm-lsp-signature-tooltip").getBoundingClientRect().bottom <=
          document.querySelector(".cm-cursor-primary").getBoundingClientRect().top`);
    await expect.poll(isAbove).toBe(true);
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
    await page.keyboard.type("{},");
    await tooltip.waitFor();
    await page.getByRole("tab", { name: "Editor" }).focus();
    await tooltip.waitFor({ state: "detached" });
  });

  test("underlines and lists a type error until it is fixed, and shows types", async () => {
    const { page, learner } = await open();
    writeFileSync(join(learner.project, "tsconfig.json"), tsconfig);
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    const problems = page.getByRole("region", { name: "Problems" });
    await problems.getByRole("button", { name: "No problems" }).waitFor();
    const editor = page.getByRole("textbox", { name: "src/a.ts" });
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.evaluate(`
      window.heads = [];
      const head = document.querySelector(".problems-head");
      new MutationObserver(() => window.heads.push(head.textContent + " " + head.ariaExpanded))
        .observe(head, { attributes: true, characterData: true, childList: true, subtree: true });`);
    await page.keyboard.type('/** Counts. <img src="/x"> */\nexport const n: number = "x";');
    const error = problems.getByRole("button", { name: /^error line 3 Type 'string' is not assignable/ });
    await error.waitFor();
    // The list opens only after a rest, so that it moves nothing while one types.
    expect(await page.evaluate("window.heads")).toEqual(
      expect.arrayContaining(["1 problem false", "1 problem true"]),
    );
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("n");
    await page.locator(".cm-lintRange-error").hover();
    const tooltip = page.locator(".cm-lsp-hover-tooltip", { hasText: "const n: number" });
    await tooltip.getByText("Counts.").waitFor();
    expect(await tooltip.locator("img").count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await error.click();
    await page.keyboard.press("End");
    for (const _ of '"x";') await page.keyboard.press("Backspace");
    await page.keyboard.type("1;");
    await problems.getByRole("button", { name: "No problems" }).waitFor();
    expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
  });

  test("needs no pointer: from the page to a problem, its type, and back", async () => {
    const { page, learner } = await open();
    writeFileSync(join(learner.project, "tsconfig.json"), tsconfig);
    const focus = () =>
      page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).press("Enter");
    await page.getByRole("button", { name: "No problems" }).waitFor();
    await page.keyboard.press("F6");
    expect(await focus()).toBe("Editor");
    await page.keyboard.press("F6");
    expect(await focus()).toBe("src/a.ts");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("export const n: number = a.");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "toFixed" }).waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^error line 2 Identifier expected/ })
      .first()
      .waitFor();
    await page.keyboard.press("F6");
    expect(await focus()).toMatch(/problem/);
    await page.keyboard.press("Tab");
    expect(await focus()).toMatch(/^error line 2 /);
    await page.keyboard.press("Enter");
    expect(await focus()).toBe("src/a.ts");
    await page.keyboard.press("Home");
    for (const _ of "export const ") await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".cm-lsp-hover-tooltip", { hasText: "const n: number" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+F6");
    expect(await focus()).toBe("Editor");
    await page.keyboard.press("Shift+F6");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
  });

  test("imports what it completes, goes to definitions, renames in all files, and fixes", async () => {
    const { page, learner } = await open();
    const files = {
      "tsconfig.json": tsconfig,
      "package.json": '{ "type": "module" }',
      "src/pods.ts": 'import { k } from "kk";\nexport const watchPods = k;\n',
      "src/b.ts": 'import { watchPods } from "./pods.js";\nexport const bees = watchPods;\n',
      "node_modules/kk/package.json": '{ "name": "kk", "types": "index.d.ts" }',
      "node_modules/kk/index.d.ts": "export declare const k: number;",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(learner.project, path)), { recursive: true });
      writeFileSync(join(learner.project, path), text);
    }
    const onDisk = (path: string) => readFileSync(join(learner.project, path), "utf8");
    const editor = (path: string) => page.getByRole("textbox", { name: path });
    const isFocused = (path: string) =>
      expect.poll(() => page.evaluate<string>("document.activeElement.ariaLabel")).toBe(path);
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    await page.getByRole("button", { name: "No problems" }).waitFor();
    await editor("src/a.ts").press("Control+End");
    await page.keyboard.type("export const c = watchP");
    // The list takes no key in its first 75 ms, so that a typed Enter chooses nothing by accident.
    await page.getByRole("option", { name: /^watchPods.*\.\/pods\.js/ }).click();
    await expect
      .poll(() => editor("src/a.ts").textContent())
      .toMatch(/^import { watchPods } from ".\/pods.js";.*export const c = watchPods$/);
    await page.keyboard.press("F12");
    await isFocused("src/pods.ts");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name:" }).fill("pods");
    await page.keyboard.press("Enter");
    await page.getByText("Not renamed: Save or load src/a.ts first").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^a.ts.*not saved/ }).click();
    await editor("src/a.ts").press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page
      .locator(".cm-line", { hasText: "const c = watchPods" })
      .click({ modifiers: ["Control"], position: { x: 170, y: 10 } });
    await isFocused("src/pods.ts");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name:" }).fill("pods");
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => onDisk("src/pods.ts")).toContain("export const pods = k;");
    expect(onDisk("src/a.ts")).toMatch(/^import { pods } [\s\S]*export const c = pods$/);
    expect(onDisk("src/b.ts")).toBe('import { pods } from "./pods.js";\nexport const bees = pods;\n');
    await isFocused("src/pods.ts");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F12");
    await isFocused("kk/index.d.ts");
    await page.keyboard.type("x");
    expect(await editor("kk/index.d.ts").textContent()).toBe(files["node_modules/kk/index.d.ts"]);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "a.ts", exact: true }).click();
    await editor("src/a.ts").press("Control+End");
    await page.keyboard.type("\nexport const d = bees;");
    await page.getByRole("button", { name: /^error .* Cannot find name 'bees'/ }).click();
    await page.keyboard.press("Control+.");
    await page.getByRole("option", { name: 'Add import from "./b.js"' }).click();
    await expect.poll(() => editor("src/a.ts").textContent()).toContain('import { bees } from "./b.js";');
    await page.getByRole("button", { name: "No problems" }).waitFor();
    await page.keyboard.press("Control+.");
    await page.locator(".cm-tooltip", { hasText: "There is no quick fix" }).waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nexport const e = bes;");
    await page.getByRole("button", { name: /^error .* Did you mean/ }).click();
    await page.keyboard.press("Control+.");
    await page.getByRole("option", { name: "Change spelling to 'bees'" }).click();
    await page.getByRole("button", { name: "No problems" }).waitFor();
  });

  test("keeps a text that is not saved while another file is shown, and saves it before a check", async () => {
    const { page, learner } = await open();
    writeFileSync(join(learner.project, "b.json"), "{}");
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    await page.getByRole("textbox", { name: "src/a.ts" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mine");
    await page.getByRole("button", { name: "Files" }).click();
    await page.getByRole("button", { name: "b.json" }).click();
    await page.getByRole("textbox", { name: "b.json" }).waitFor();
    await page.getByRole("button", { name: /^src\/a.ts.*not saved/ }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "src/a.ts" }).textContent())
      .toBe("const a = 1;// mine");
    await page.getByText("Not saved. Your text").waitFor();
    await page.getByRole("button", { name: "b.json" }).first().click();
    await page.getByRole("button", { name: "Check my work" }).click();
    await page.getByText("Saved src/a.ts.\ncheck undefined").waitFor();
    expect(readFileSync(join(learner.project, "src/a.ts"), "utf8")).toBe("const a = 1;\n// mine");
    expect(await page.locator(".unsaved").count()).toBe(0);
  });

  test("keeps an unsaved text over a reload, kill -9 and a change on disk, and shows both", async () => {
    const { page, learner, restart } = await open();
    const file = join(learner.project, "src/a.ts");
    writeFileSync(join(learner.project, "b.json"), "{}");
    const editor = page.getByRole("textbox", { name: "src/a.ts" });
    const own = "const a = 1;// mine";
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mine");
    await page.reload();
    await expect.poll(() => editor.textContent()).toBe(own);
    await page.getByText("Not saved. Your text is kept here.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    // As after kill -9: nothing says goodbye, and the new server has another port.
    await page.goto(await restart());
    await page.getByRole("tab", { name: "Editor" }).click();
    await expect.poll(() => editor.textContent()).toBe(own);
    writeFileSync(file, "const a = 7;\n");
    await page.getByText("The file has changed on disk").waitFor();
    await page.locator(".cm-deletedChunk", { hasText: "const a = 7;" }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await editor.press("Control+s");
    await page.getByText("Choose first").waitFor();
    await page.reload();
    await page.locator(".cm-deletedChunk", { hasText: "const a = 7;" }).waitFor();
    await page.getByRole("button", { name: "Load it" }).press("Enter");
    await page.getByText("Your text is in saved/src/a.ts.").waitFor();
    await expect.poll(() => editor.textContent()).toBe("const a = 7;");
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// again");
    writeFileSync(file, "const a = 8;\n");
    await page.locator(".cm-deletedChunk", { hasText: "const a = 8;" }).waitFor();
    await page.getByRole("button", { name: "Keep my lines" }).press("Enter");
    await page.getByRole("button", { name: "Keep mine" }).press("Enter");
    await page.getByText("The version from disk is in saved/src/a.ts.").waitFor();
    expect(readFileSync(file, "utf8")).toBe("const a = 7;\n// again");
    await page.reload();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await page.locator(".unsaved").count()).toBe(0);
  });
});
