import { parseDuration } from "../../lib/cel/library/time.ts";

interface Field {
  minimum: number;
  maximum: number;
  /** In the order of their numbers, from the minimum. */
  names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: readonly Field[] = [
  { minimum: 0, maximum: 59, names: [] },
  { minimum: 0, maximum: 23, names: [] },
  { minimum: 1, maximum: 31, names: [] },
  { minimum: 1, maximum: 12, names: months },
  { minimum: 0, maximum: 6, names: days },
];
const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/**
 * Returns why a CronJob's schedule is invalid, with the message of ParseStandard of robfig/cron v3. Returns
 * undefined when it is valid.
 */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith("@")) return descriptorProblem(schedule);
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of parts[index]?.split(",") ?? []) {
      const problem = range === "" ? undefined : rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Returns the problem of a range: `number`, `number-number`, `*` or `?`, each with an optional `/step`. */
function rangeProblem(range: string, field: Field): string | undefined {
  const [bounds = "", stepText, ...slashes] = range.split("/");
  const [low = "", high, ...hyphens] = bounds.split("-");
  const all = low === "*" || low === "?";
  const start = all ? field.minimum : numberOf(low, field);
  if (typeof start === "string") return start;
  if (!all && hyphens.length > 0) return `too many hyphens: ${range}`;
  const lastText = all ? undefined : high;
  let end = all ? field.maximum : lastText === undefined ? start : numberOf(lastText, field);
  if (typeof end === "string") return end;
  if (slashes.length > 0) return `too many slashes: ${range}`;
  const step = stepText === undefined ? 1 : parseInteger(stepText);
  if (typeof step === "string") return step;
  // `5/10` means `5-59/10`.
  if (stepText !== undefined && high === undefined) end = field.maximum;
  if (start < field.minimum) {
    return `beginning of range (${start}) below minimum (${field.minimum}): ${range}`;
  }
  if (end > field.maximum) return `end of range (${end}) above maximum (${field.maximum}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function numberOf(text: string, { names, minimum }: Field): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index >= 0 ? index + minimum : parseInteger(text);
}

/** Returns the number, or the error of Go's strconv.Atoi and of the parser. */
function parseInteger(text: string): number | string {
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}`;
  if (!/^[-+]?\d+$/.test(text)) return `${failed}: invalid syntax`;
  const exact = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, exact) !== exact) return `${failed}: value out of range`;
  return exact < 0n ? `negative number (${exact}) not allowed: ${text}` : Number(exact);
}

function descriptorProblem(schedule: string): string | undefined {
  if (descriptors.includes(schedule)) return undefined;
  const every = "@every ";
  if (!schedule.startsWith(every)) return `unrecognized descriptor: ${schedule}`;
  const text = schedule.slice(every.length);
  if (parseDuration(text) !== undefined) return undefined;
  return `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(text)}`;
}
