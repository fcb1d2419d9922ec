import type { Schema } from "../schema/schema.ts";

/**
 * A schema whose descriptions have at most so many bytes of UTF-8, cut after a sentence or a word where there is one;
 * none with 0.
 */
export function truncateDescriptions(schema: Schema, length: number): Schema {
  return JSON.parse(JSON.stringify(schema), function (this: unknown, key: string, value: unknown) {
    // A property may be called description, too: then this is an object.
    if (key !== "description" || typeof value !== "string") return value;
    return length === 0 ? undefined : truncate(value, length);
  }) as Schema;
}

const sentenceEnd = /^\p{Sentence_Terminal}$/u;

function truncate(text: string, length: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= length) return text;
  const cut = [
    ...bytes
      .subarray(0, length)
      .toString("utf8")
      .replace(/\uFFFD+$/, ""),
  ];
  const sentence = cut.findLastIndex((character) => sentenceEnd.test(character));
  if (sentence > 0) return cut.slice(0, sentence + 1).join("");
  const word = cut.findLastIndex((character) => /^\s$/.test(character));
  return `${(word > 0 ? cut.slice(0, word) : cut).join("")}...`;
}
