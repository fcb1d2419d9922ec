import type { KindReport } from "./report.ts";

/** The claim of a page. */
export interface Claim {
  /** `01-podbuggertool/1-from-the-laptop` */
  readonly page: string;
  /** `providers` of its front matter. */
  readonly providers: readonly string[];
}

/** Returns one line for each page that claims kind and has not passed there. */
export function unproven(claims: readonly Claim[], report: Pick<KindReport, "pages">): string[] {
  const passed = new Set(report.pages.filter((page) => page.passed).map(({ page }) => page));
  return claims
    .filter(({ page, providers }) => providers.includes("kind") && !passed.has(page))
    .map(
      ({ page }) =>
        `${page} claims kind, and has not passed in reports/kind.json: run \`pnpm proof kind --report packages/proof/pages-on-kind/reports\`, or remove kind from its providers`,
    );
}

const words: Readonly<Record<string, string>> = {
  embedded: "the embedded cluster",
  envtest: "a real kube-apiserver",
  kind: "[kind](../../packages/proof/pages-on-kind/reports/kind.md)",
  existing: "an existing cluster",
};

/** Returns the line below a page's title that names its providers. */
export function verifiedLine({ providers }: Pick<Claim, "providers">): string {
  const places = providers.map((provider) => words[provider] ?? provider);
  const last = places.pop();
  return `*Verified on ${places.length > 0 ? `${places.join(", ")} and ` : ""}${last}.*`;
}

/** Returns the page with that line, and without an older one. */
export function withVerifiedLine(text: string, claim: Pick<Claim, "providers">): string {
  return text.replace(
    /^(# .*\n\n)(?:\*Verified on .*\*\n\n)?/m,
    (_, title: string) => `${title}${verifiedLine(claim)}\n\n`,
  );
}
