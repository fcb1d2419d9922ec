import type { Schema } from "../schema/schema.ts";

/**
 * Returns a copy of the schema with shorter descriptions. Cuts each one after a sentence, or else after a
 * word.
 *
 * @param length the maximum length in bytes of UTF-8; 0 removes all descriptions
 */
export function truncateDescriptions(schema: Schema, length: number): Schema {
  return JSON.parse(JSON.stringify(schema), function (this: unknown, key: string, value: unknown) {
    // The value of a property called `description` is an object.
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
