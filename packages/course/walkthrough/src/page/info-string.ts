import { closestMatch } from "leven";
import { providers } from "./front-matter.ts";
import type { ConsoleOptions } from "./page.ts";

/**
 * The info string of a fence: the language, then words (`running`) and settings (`terminal=operator`,
 * `prompt="/ # "`).
 */
export interface InfoString {
  readonly language: string;
  readonly words: ReadonlyMap<string, string | true>;
}

/** Parses an info string. Throws an Error without a place: the caller knows the line. */
export function parseInfoString(info: string): InfoString {
  const [language = "", ...rest] = info.trim().split(/\s/);
  const words = new Map<string, string | true>();
  const text = rest.length === 0 ? "" : info.trim().slice(language.length);
  const token = /\s*(?:([A-Za-z][\w-]*)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?)(?=\s|$)/y;
  let at = 0;
  while (text.slice(at).trim() !== "") {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match?.[1])
      throw new Error(`cannot read "${text.slice(at).trim()}" in the fence's info string "${info}"`);
    if (words.has(match[1])) throw new Error(`"${match[1]}" appears twice in the fence's info string`);
    const value = match[2];
    words.set(
      match[1],
      value === undefined ? true : value.startsWith('"') ? (JSON.parse(value) as string) : value,
    );
    at = token.lastIndex;
  }
  return { language, words };
}

const flags = ["running", "retry", "unordered", "replay", "rests"] as const;
const settings = ["terminal", "prompt", "provider", "cwd", "timeout", "holds"] as const;

/**
 * Reads the options of a `console` fence. Throws an Error that names an unknown word and the closest known
 * one.
 */
export function consoleOptions(info: InfoString): ConsoleOptions {
  for (const [word, value] of info.words) {
    const isFlag = (flags as readonly string[]).includes(word);
    const isSetting = (settings as readonly string[]).includes(word);
    if (!isFlag && !isSetting) throw unknownWord(word, [...flags, ...settings]);
    if (isFlag && value !== true) throw new Error(`"${word}" takes no value`);
    if (isSetting && (value === true || value === "")) throw new Error(`"${word}" needs a value: ${word}=…`);
  }
  const get = (word: string): string | undefined => {
    const value = info.words.get(word);
    return typeof value === "string" ? value : undefined;
  };
  const timeout = get("timeout");
  const holds = get("holds");
  const prompt = get("prompt");
  const listed = get("provider")?.split(",");
  const wrongProvider = listed?.find((one) => !(providers as readonly string[]).includes(one));
  if (wrongProvider !== undefined) {
    throw new Error(
      `provider=${get("provider")}: there is no provider "${wrongProvider}"; there are ${providers.join(", ")}`,
    );
  }
  const cwd = get("cwd");
  if (info.words.has("replay")) {
    const beside = ["running", "retry", "terminal", "prompt", "provider", "holds", "rests"];
    const wrong = beside.find((word) => info.words.has(word));
    if (wrong)
      throw new Error(`"replay" and "${wrong}" do not go together: a replay is commands, one after another`);
  }
  return {
    running: info.words.has("running"),
    retry: info.words.has("retry"),
    unordered: info.words.has("unordered"),
    replay: info.words.has("replay"),
    rests: info.words.has("rests"),
    terminal: get("terminal") ?? "",
    ...(prompt !== undefined && { prompt }),
    ...(listed !== undefined && { providers: listed }),
    ...(cwd !== undefined && { cwd }),
    ...(timeout !== undefined && { timeoutMs: parseDuration("timeout", timeout) }),
    ...(holds !== undefined && { holdsMs: parseDuration("holds", holds) }),
  };
}

export function unknownWord(word: string, known: readonly string[]): Error {
  const near = closestMatch(word, known, { maxDistance: 2 });
  return new Error(
    `unknown word "${word}" in the fence's info string${near ? `; did you mean "${near}"?` : `; there are ${known.join(", ")}`}`,
  );
}

function parseDuration(word: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  if (!match) throw new Error(`${word}=${text} is not a duration: write 500ms, 5s or 2m`);
  const unit = match[2] === "ms" ? 1 : match[2] === "s" ? 1000 : 60_000;
  return Number(match[1]) * unit;
}
