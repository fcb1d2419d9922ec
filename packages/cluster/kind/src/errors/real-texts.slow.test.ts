import { readFile } from "node:fs/promises";
import { findTool } from "@operator-path/tools";
import { expect, it } from "vitest";
import { failureTexts } from "../testing/failure-texts.ts";

it("the mapped messages are in the real kind", async () => {
  const { path } = await findTool("kind");
  const binary = await readFile(path);
  const texts = failureTexts.flatMap(({ kinds = [] }) => kinds);
  expect(texts.filter((text) => !binary.includes(text))).toEqual([]);
  expect(binary.includes("node(s) already exist for a clutter")).toBe(false);
});
