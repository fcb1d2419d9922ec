import { expect, it } from "vitest";
import { terminalVocabulary } from "./vocabulary.ts";

it("has the short commands of the learner's shell, and the long ones of other shells", () => {
  const commands = (learn: string, exercise: string): string[] => {
    const words = terminalVocabulary({ learn, exercise, pnpm: "pnpm" });
    return [
      words.check("3"),
      words.catchUp(),
      words.diff("a.ts"),
      words.exercise("2", "begin"),
      words.exercises,
    ];
  };
  expect(commands("learn", "exercise")).toEqual([
    "`check 3`",
    "`catch-up`",
    "`learn diff a.ts`",
    "`exercise 2 begin`",
    "`exercise` lists the exercises, their hints and solutions.",
  ]);
  expect(commands("pnpm learn", "pnpm exercise")).toEqual([
    "`pnpm learn check 3`",
    "`pnpm learn catch-up`",
    "`pnpm learn diff a.ts`",
    "`pnpm exercise 2 begin`",
    "`pnpm exercise` lists the exercises, their hints and solutions.",
  ]);
});
