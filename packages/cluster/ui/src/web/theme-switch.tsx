import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { strings } from "./strings.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "theme";

/** Chooses light, dark or the system's colours, and remembers it in this browser. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((one) => one === localStorage.getItem(key)) ?? "system",
  );
  useEffect(() => {
    localStorage.setItem(key, theme);
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <select
      class="quiet-select"
      aria-label={strings.theme.label}
      value={theme}
      onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {strings.theme[name]}
        </option>
      ))}
    </select>
  );
}
