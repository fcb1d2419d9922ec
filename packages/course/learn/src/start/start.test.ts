import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, openHome } from "../testing/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.remove());

describe("pnpm start with a terminal", () => {
  it("plays the tour once: it shows that a Pod has no shell, installs the tool, opens the shell, and cleans up", async () => {
    using terminal = home.start();
    await terminal.shows(/exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory/);
    await terminal.shows("label: app=payment");
    await terminal.shows(/\$ kubectl exec -it payment-1\.0\.0-\S+ -c ephemeral-busybox -- \/bin\/sh/);
    await terminal.shows("/ $ ");
    terminal.type("ps\r");
    await terminal.shows(/\b1000 .* \/app\//);
    terminal.type("ls /proc/1/root\r");
    await terminal.shows(/\bapp\b.*\betc\b/s);
    terminal.type("exit\r");
    await terminal.shows("What next?");
    // Up from the first entry is the last, Quit.
    terminal.type("\x1b[A\r");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain("Everything is stopped and cleaned up");
    expect(await home.leftovers()).toEqual([]);

    using again = home.start();
    await again.shows(/What next\?.*Play the tour again/s);
    expect(again.screen()).not.toContain("kubectl");
  });

  it.each([
    ["while a cluster is started", "Starting a cluster"],
    ["in the middle", "kubectl rollout status"],
  ])("leaves nothing behind after Ctrl+C %s", async (_when, text) => {
    using terminal = home.start();
    await terminal.shows(text);
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(130);
    expect(await home.leftovers()).toEqual([]);
  });
});
