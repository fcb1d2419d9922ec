type Theme = "light" | "dark";

const name = "theme";

/** Applies the theme that the learner has chosen, or else the system's. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(name);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Switches between light and dark, and remembers the choice. */
export function switchTheme(): void {
  const next = currentTheme() === "dark" ? "light" : "dark";
  localStorage.setItem(name, next);
  document.documentElement.dataset.theme = next;
}

/** Returns the value of a CSS custom property. */
export function token(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}

/** Returns the colour of a CSS custom property in the current theme, for code that draws by itself. */
export function colorToken(property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
