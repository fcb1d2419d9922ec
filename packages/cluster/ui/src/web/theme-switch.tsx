import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useRemembered } from "./remembered.ts";
import { strings } from "./strings.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

/** Chooses light, dark or the system's colours, and remembers it in this browser. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useRemembered<Theme>("theme", themes, "system");
  useEffect(() => {
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
