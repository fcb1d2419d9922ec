import { bindSample, escapeRegExp, type Samples } from "./samples.ts";
import { type Shape, shapes } from "./shapes.ts";

/** Matches one line of output against a line that the page shows. */
export interface LinePattern {
  /**
   * Returns the samples after a match. Undefined: the line does not match, or contradicts the samples so far.
   */
  match(line: string, samples: Samples): Samples | undefined;
}

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "shape"; readonly shape: Shape; readonly sample: string; readonly source: string };

const compiled = shapes.map((shape) => ({
  shape,
  sample: new RegExp(`(?<![A-Za-z0-9])(?:${shape.sample})(?![A-Za-z0-9]|-[A-Za-z0-9])`, "y"),
}));

/**
 * Compiles a line of expected output. `[..]` matches anything, `[..NAME..]` binds a name, and `\` escapes.
 * Samples match by shape. Two or more spaces within the line match two or more spaces, or a tab. Everything
 * else matches exactly.
 */
export function compileLine(text: string): LinePattern {
  const parts = tokenise(text);
  const source = parts.map(sourceOf).join("");
  const pattern = new RegExp(`^${source}$`);
  const holders = parts.filter((part) => part.kind === "shape" || part.kind === "named");
  return {
    match(line, samples) {
      const found = pattern.exec(line);
      if (!found) return undefined;
      let result: Samples | undefined = samples;
      for (const [i, holder] of holders.entries()) {
        const value = found[i + 1] ?? "";
        result =
          result &&
          (holder.kind === "named"
            ? bindSample(result, `[..${holder.name}..]`, value, true)
            : bindShape(result, holder, value));
        if (!result) return undefined;
      }
      return result;
    },
  };
}

function bindShape(samples: Samples, part: Part & { kind: "shape" }, value: string): Samples | undefined {
  if (part.shape.accepts && !part.shape.accepts(part.sample, value, samples.unhurried)) return undefined;
  if (part.shape.binds === undefined) return samples;
  const bound = bindSample(samples, part.sample, value, part.shape.binds === "object");
  // A Pod's name contains its ReplicaSet's, so both names must bind the same sample of the hash.
  if (!bound || part.shape.name !== "Pod of a Deployment") return bound;
  return bindSample(bound, withoutSuffix(part.sample), withoutSuffix(value), true);
}

function withoutSuffix(name: string): string {
  return name.slice(0, name.lastIndexOf("-"));
}

function tokenise(text: string): Part[] {
  const parts: Part[] = [];
  let literal = "";
  const flush = (): void => {
    if (literal !== "") parts.push({ kind: "text", text: literal });
    literal = "";
  };
  for (let i = 0; i < text.length; ) {
    const rest = text.slice(i);
    const wildcard = /^\[\.\.(?:([A-Z][A-Z0-9_]*)\.\.)?\]/.exec(rest);
    if (wildcard) {
      flush();
      parts.push(wildcard[1] === undefined ? { kind: "any" } : { kind: "named", name: wildcard[1] });
      i += wildcard[0].length;
      continue;
    }
    if (/^\\[\\[\].]/.test(rest)) {
      literal += rest[1];
      i += 2;
      continue;
    }
    const shape = shapeAt(text, i);
    if (shape) {
      flush();
      parts.push(shape);
      i += shape.sample.length;
      continue;
    }
    literal += text[i];
    i++;
  }
  flush();
  return parts;
}

function shapeAt(text: string, at: number): (Part & { kind: "shape" }) | undefined {
  for (const { shape, sample } of compiled) {
    sample.lastIndex = at;
    const match = sample.exec(text);
    if (!match || match[0] === "") continue;
    const source = shape.matches.replaceAll(/\$(\d)/g, (_, n: string) =>
      escapeRegExp(match[Number(n)] ?? ""),
    );
    return { kind: "shape", shape, sample: match[0], source };
  }
  return undefined;
}

function sourceOf(part: Part, index: number): string {
  switch (part.kind) {
    case "any":
      return ".*?";
    case "named":
      return "(.+?)";
    case "shape":
      return `(${part.source})`;
    case "text":
      return part.text
        .split(/(\s{2,}|\t)/)
        .map((piece, i) =>
          i % 2 === 1 && !(index === 0 && part.text.startsWith(piece) && i === 1)
            ? "(?:\\s{2,}|\\t)"
            : escapeRegExp(piece),
        )
        .join("");
  }
}
