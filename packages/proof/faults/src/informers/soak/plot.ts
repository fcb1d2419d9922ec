import type { Point } from "./trend.ts";

export interface Series {
  readonly name: string;
  readonly colour: string;
  /** Milliseconds and bytes. */
  readonly points: readonly Point[];
}

const [width, height, left, bottom, top] = [720, 300, 56, 36, 28];

/** Returns bytes over time as an SVG whose colours are readable on light and dark pages. */
export function plotMemory(series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const end = Math.max(1, ...all.map(([at]) => at));
  const most = niceMaximum(Math.max(1, ...all.map(([, value]) => value / 1e6)));
  const x = (at: number) => round(left + (at / end) * (width - left - 12));
  const y = (megabytes: number) => round(height - bottom - (megabytes / most) * (height - bottom - top));

  const lines = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(share * most);
    return `<path d="M${left} ${at}H${width - 12}" stroke="#8884"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${round(share * most)}</text>`;
  });
  const times = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(share * end)}" y="${height - 14}" text-anchor="middle">${round((share * end) / 60_000)}</text>`,
  );
  const curves = series.map(
    ({ colour, points }) =>
      `<path d="M${points.map(([at, value]) => `${x(at)} ${y(value / 1e6)}`).join("L")}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
  );
  const legend = series.map(
    ({ name, colour }, index) =>
      `<path d="M${left + index * 200} 14h18" stroke="${colour}" stroke-width="3"/><text x="${left + 24 + index * 200}" y="18">${name}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#888">`,
    `<title>Memory of the informers' process in MB, over minutes</title>`,
    ...lines,
    ...times,
    ...curves,
    ...legend,
    `<text x="${width - 12}" y="${height - 2}" text-anchor="end">minutes</text><text x="4" y="${top - 8}">MB</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function niceMaximum(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 8, 10].find((times) => times * unit >= value) ?? 10) * unit;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
