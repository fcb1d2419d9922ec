export interface Bar {
  readonly title: string;
  readonly colour: string;
  readonly value: number;
}

export interface Panel {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly Bar[];
}

const panelWidth = 400;
const barFrom = 96;
const barSpace = 220;

/** Returns an SVG of bars, two panels a row. Its text follows the reader's light or dark theme. */
export function plotBars(panels: readonly Panel[], barsAtMost: number): string {
  const panelHeight = 56 + barsAtMost * 24;
  const rows = Math.ceil(panels.length / 2);
  const body = panels.map((panel, index) =>
    drawPanel(panel, (index % 2) * panelWidth, Math.floor(index / 2) * panelHeight),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * panelWidth} ${rows * panelHeight}" font-family="system-ui, sans-serif" font-size="12">
<style>text { fill: #1f2328 } .note { fill: #656d76 } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } }</style>
${body.join("\n")}
</svg>
`;
}

function drawPanel({ title, note, bars }: Panel, x: number, y: number): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const lines = bars.map(({ title: name, colour, value }, index) => {
    const top = 44 + index * 24;
    const width = Math.max(1, (barSpace * value) / most).toFixed(1);
    const digits = { maximumFractionDigits: value < 100 && !Number.isInteger(value) ? 1 : 0 };
    return [
      `<text x="${barFrom - 8}" y="${top + 12}" text-anchor="end">${name}</text>`,
      `<rect x="${barFrom}" y="${top}" width="${width}" height="16" rx="2" fill="${colour}"/>`,
      `<text x="${(barFrom + Number(width) + 6).toFixed(1)}" y="${top + 12}">${value.toLocaleString("en-US", digits)}</text>`,
    ].join("");
  });
  const head = `<text x="4" y="18" font-weight="600">${title}</text><text class="note" x="4" y="34">${note}</text>`;
  return `<g transform="translate(${x} ${y})">${head}${lines.join("")}</g>`;
}
