import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Home, openHome } from "../testing/home.ts";
import { until } from "../testing/until.ts";

const main = new URL("../main.ts", import.meta.url).pathname;
let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.remove());

it("shows a page in less, survives Ctrl+C there, and returns to the menu", async () => {
  using terminal = await home.menu();
  await terminal.shows("What next?");
  terminal.type("\x1b[B\x1b[B\x1b[B\r");
  await terminal.shows("Which page?");
  terminal.type("\r");
  // less takes the whole screen, and gives it back.
  await terminal.shows("\x1b[?1049h");
  terminal.type("\x03");
  // Ctrl+C drops the keys that less has not read yet.
  await until(() => {
    terminal.type("q");
    return terminal.screen().includes("\x1b[?1049l");
  });
  await terminal.shows(/\[\?1049l.*What next\?/s);
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);
});

it("passes the page to $PAGER, at most 100 columns wide apart from code", async () => {
  await home.remove();
  const prose = `awk '/^┌/ { code = 1 } /^└/ { code = 0 } !code'`;
  home = await openHome({ PAGER: `${prose} | wc -L; echo it ran` });
  using terminal = await home.menu();
  await terminal.shows("What next?");
  terminal.type("\x1b[B\x1b[B\x1b[B\r");
  await terminal.shows("Which page?");
  terminal.type("\r");
  await terminal.shows(/\b(?:9\d|100)\r\nit ran/);
});

const read = (name: string, env: Record<string, string>) =>
  execa(process.execPath, ["--conditions=@operator-path/source", main, "read", name], {
    env: { PAGER: "false", ...env },
  });

it.each([["3/1"], ["nginx/1"]])("prints page %s as plain text without a terminal", async (name) => {
  const { stdout, exitCode } = await read(name, { FORCE_COLOR: "" });
  expect(exitCode).toBe(0);
  expect(stdout.length).toBeGreaterThan(1000);
  expect(stdout).not.toContain("\x1b");
  const prose = stdout.replaceAll(/^┌.*?^└/gms, "");
  expect(Math.max(...prose.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

it("prints colours without a terminal if FORCE_COLOR asks for them, as every command does", async () => {
  expect((await read("3/1", { FORCE_COLOR: "1", NO_COLOR: "" })).stdout).toContain("\x1b[");
});
