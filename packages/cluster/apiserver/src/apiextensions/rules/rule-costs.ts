import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { forbidden } from "../../apimachinery/validation/cause.ts";
import type { CompiledRule } from "./compile-rules.ts";
import { maximumCount, sizeBelow } from "./self-size.ts";

/** The highest estimated cost of one expression, over all places of an object where it runs. */
const ruleLimit = 10_000_000;
/** The highest estimated cost of all expressions of a schema. */
const schemaLimit = 100_000_000;
/** How many of the most expensive expressions an error about the sum names. */
const named = 4;

/** Adds up the estimated costs of a schema's rules (StaticEstimatedCostLimit of apiextensions/validation). */
export interface CostLedger {
  /**
   * Adds the cost of a rule, and returns what is wrong with it.
   * @param count how often the schema can occur in an object, undefined if only the request size limits it
   */
  charge(
    rule: CompiledRule,
    field: string,
    place: { schema: RawSchema; isResource: boolean; count: number | undefined },
  ): StatusCause[];
  /** Returns what is wrong with the sum of all costs. @param path path of the schema */
  settle(path: string): StatusCause[];
}

export function createCostLedger(): CostLedger {
  const charged: { field: string; cost: number }[] = [];
  let total = 0;

  function charge(field: string, cost: number, what: string): StatusCause[] {
    total = Math.min(total + cost, 2 ** 64);
    charged.push({ field, cost });
    return cost > ruleLimit ? [forbidden(field, exceeded(what, cost / ruleLimit))] : [];
  }

  return {
    charge({ program, messageProgram }, field, { schema, isResource, count }) {
      const sizeAt = (path: readonly string[]) => sizeBelow(schema, isResource, path);
      const causes: StatusCause[] = [];
      if (program !== undefined) {
        const cost = program.estimate(sizeAt) * (count ?? maximumCount(schema));
        causes.push(...charge(`${field}.rule`, Math.min(cost, 2 ** 64), "estimated rule cost"));
      }
      if (messageProgram !== undefined) {
        const cost = messageProgram.estimate(sizeAt);
        causes.push(...charge(`${field}.messageExpression`, cost, "estimated messageExpression cost"));
      }
      return causes;
    },
    settle(path) {
      if (total <= schemaLimit) return [];
      const expensive = charged.filter(({ cost }) => cost >= schemaLimit / 100);
      const most = expensive.sort((a, b) => b.cost - a.cost).slice(0, named);
      const share =
        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
      const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
      return [
        ...most.map(({ field }) => forbidden(field, share)),
        forbidden(path, exceeded(what, total / schemaLimit)),
      ];
    },
  };
}

function exceeded(what: string, factor: number): string {
  const times = factor > 100 ? "more than 100" : factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  return `${what} exceeds budget by factor of ${times}x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
