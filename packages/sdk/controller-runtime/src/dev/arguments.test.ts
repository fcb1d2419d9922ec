import { expect, test } from "vitest";
import { CommandLineError, parseArguments } from "./arguments.ts";

test("passes arguments after the main file to the operator", () => {
  expect(
    parseArguments(["--watch", "config", "--grace=2.5", "--watch", "a.yaml", "src/main.ts", "--watch", "-v"]),
  ).toEqual({
    ...{ main: "src/main.ts", rest: ["--watch", "-v"], watch: ["config", "a.yaml"] },
    ...{ grace: 2_500, ahead: true, help: false },
  });
  expect(parseArguments(["--no-ahead", "src/main.ts"])).toMatchObject({ ahead: false, grace: 10_000 });
  expect(parseArguments(["-h"])).toMatchObject({ help: true });
});

test.each([
  [[], "the main file is missing"],
  [["--watch"], "--watch"],
  [["--grace", "soon", "src/main.ts"], "--grace soon is not a number of seconds: set a number of at least 0"],
  [["--grace=-1", "src/main.ts"], "--grace -1 is not a number of seconds: set a number of at least 0"],
  [["--gracious", "src/main.ts"], "--gracious"],
])("rejects %j", (args, message) => {
  expect(() => parseArguments(args)).toThrow(CommandLineError);
  expect(() => parseArguments(args)).toThrow(message);
});
