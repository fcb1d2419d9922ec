import { expect, test } from "vitest";
import { examine } from "../examine.ts";
import type { Finding } from "../finding.ts";
import { families, systemOf } from "../system.ts";
import { createFullMachine, createStandIn, kubeconfig } from "../testing/stand-in.ts";
import { report } from "./report.ts";

const plain = { goal: "embedded", width: 80, color: false } as const;
const address = /^ *https:\/\/\S+$/;

test("on a bare machine: shows missing findings first, and absent ones last", async () => {
  await using bare = await createStandIn();
  const text = report(await examine(bare.machine), plain);
  expect(text).toMatch(/^✗ missing {2}kubectl +not on the PATH +every page,/m);
  expect(text).toMatch(/^– absent {3}engine +no docker, podman or nerdctl +kind, images/m);
  expect(text.indexOf("Missing for embedded")).toBeLessThan(text.indexOf("\nkubectl: not on the PATH"));
  expect(text.indexOf("\nkubectl: not on the PATH")).toBeLessThan(text.indexOf("Worth knowing"));
  expect(text.indexOf("Worth knowing")).toBeLessThan(text.indexOf("\nengine: no docker"));
  expect(text.trimEnd().split("\n").at(-1)).toBe("✗ embedded: missing: shell, pnpm, make, kubectl, helm");
});

test("on a full machine: shows the table, and the next command", async () => {
  await using full = await createFullMachine();
  const text = report(await examine(full.machine), plain);
  expect(text).not.toContain("Missing");
  expect(text.trimEnd().split("\n").at(-1)).toBe(
    "✓ embedded: nothing is missing. Next: npx --yes pnpm@12 start",
  );
});

test.each(families.flatMap((family) => [60, 80, 140].map((width) => ({ family, width }))))(
  "on $family, in $width columns, no line is wrapped by the terminal, and no command by us",
  async ({ family, width }) => {
    await using bare = await createStandIn();
    await bare.file("proc/sys/fs/inotify/max_user_watches", "8192\n");
    await bare.file("proc/sys/fs/inotify/max_user_instances", "128\n");
    await bare.file("proc/cgroups", "");
    const cluster = "insecure-skip-tls-verify: true";
    await bare.file(
      "~/.kube/config",
      kubeconfig({ context: "kind-lab", cluster, user: "client-certificate: gone" }),
    );
    const findings = await examine(bare.machine, { system: systemOf(family) });
    const lines = report(findings, { goal: "kind", width, color: false }).split("\n");
    const commands = findings.flatMap(({ mend }) => mend?.commands ?? []);
    expect(commands.filter((command) => command.length > 76)).toEqual([]);
    for (const command of commands) expect(lines).toContain(`    ${command}`);
    const words = lines.filter(
      (line) => !commands.includes(line.trim()) && !commands.includes(line.slice(4)),
    );
    expect(words.filter((line) => line.length > width && !address.test(line))).toEqual([]);
  },
);

test("uses colours only if enabled, and removes control characters from names", () => {
  const finding: Finding = {
    subject: "context",
    state: "weak",
    found: "a\u001b]0;title\u0007b",
    neededFor: ["existing"],
    details: ["a\u001b[2Jb"],
  };
  const orders = "\u001b";
  expect(report([finding], plain)).not.toContain(orders);
  const coloured = report([finding], { ...plain, color: true });
  expect(coloured).toContain(`${orders}[33m! weak`);
  expect(coloured).not.toContain(`${orders}]0`);
  expect(coloured).not.toContain(`${orders}[2J`);
});

test("shows some of many contexts, and counts the others", () => {
  const contexts = Array.from(
    { length: 30 },
    (_, index): Finding => ({
      subject: "context",
      state: "weak",
      found: `cloud-${index}: runs aws`,
      neededFor: [],
      details: [`cloud-${index}: To log in, it runs the program aws as you, each time.`],
    }),
  );
  const text = report(contexts, plain);
  expect(text.split("\n").filter((line) => line.startsWith("! weak"))).toHaveLength(6);
  expect(text).toContain("and 24 more contexts: --json lists them");
  expect(text).not.toContain("cloud-29");
});
