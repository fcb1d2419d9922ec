import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, openHome } from "../testing/home.ts";
import { until } from "../testing/until.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.remove());

describe("pnpm start, however it ends", () => {
  it.runIf(process.platform === "linux")("leaves no process behind when it is killed", async () => {
    using terminal = home.start();
    await terminal.shows("/ $ ");
    expect((await home.processes()).length).toBeGreaterThan(2);
    process.kill(terminal.pid, "SIGKILL");
    await until(async () => (await home.processes()).length === 0);
  });

  it.runIf(process.platform === "linux")("leaves nothing behind when its window is closed", async () => {
    using terminal = home.start();
    await terminal.shows("/ $ ");
    terminal.type("exit\r");
    await terminal.shows("What next?");
    terminal.close();
    await until(async () => (await home.processes()).length === 0);
    expect(await home.leftovers()).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "leaves nothing behind when its window is closed at a question, with nothing else under way",
    async () => {
      using terminal = await home.menu();
      await terminal.shows("What next?");
      terminal.type("\x1b[B\r");
      await terminal.shows("Which page?");
      terminal.close();
      await until(async () => (await home.processes()).length === 0);
      expect(await home.leftovers()).toEqual([]);
    },
  );

  it("leaves nothing after Ctrl+C in the menu", async () => {
    using terminal = home.start();
    await terminal.shows("/ $ ");
    terminal.type("exit\r");
    await terminal.shows("What next?");
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(0);
    expect(await home.leftovers()).toEqual([]);
  });
});
