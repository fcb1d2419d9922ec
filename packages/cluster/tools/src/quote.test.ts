import { execa } from "execa";
import { expect, test } from "vitest";
import { quote } from "./quote.ts";

test("a shell reads each quoted text as one word", async () => {
  const words = [
    "plain/path-1.2:3,a=b@c%d+",
    "",
    "two words",
    "it's",
    "$HOME `id`",
    "~",
    "*",
    "a;b",
    "line\nline",
    "ä",
  ];
  const { stdout } = await execa("sh", ["-c", `printf '%s\\0' ${words.map(quote).join(" ")}`]);
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

test("adds quotes only where they are needed", () => {
  expect(quote("/home/a/.kube/config-2")).toBe("/home/a/.kube/config-2");
});
