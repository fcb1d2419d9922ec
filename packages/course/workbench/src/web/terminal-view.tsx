import { onThemeChange } from "@operator-path/ui/web";
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { colorToken, token } from "./theme.ts";

/** A terminal of the learner. It lives on the server: this is its screen and keyboard. */
export function TerminalView({ name, shown }: { readonly name: string; readonly shown: boolean }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<{ terminal: Terminal; fit: FitAddon; search: SearchAddon }>();
  const [searching, setSearching] = useState(false);

  useEffect(() => {
    if (!box.current) return undefined;
    const terminal = new Terminal({
      ...{ fontFamily: token("--mono"), fontSize: 13, lineHeight: 1.25, scrollback: 5000 },
      ...{ cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches, theme: terminalTheme() },
      ...{ screenReaderMode: true, allowProposedApi: false, minimumContrastRatio: 4.5 },
    });
    const fit = new FitAddon();
    const search = new SearchAddon();
    terminal.loadAddon(fit);
    terminal.loadAddon(search);
    const open = (): void => {
      store.send({ type: "open", terminal: name });
      store.send({ type: "resize", terminal: name, columns: terminal.cols, rows: terminal.rows });
    };
    terminal.onData((data) => store.send({ type: "input", terminal: name, data, step: store.state().step }));
    terminal.onResize(({ cols, rows }) =>
      store.send({ type: "resize", terminal: name, columns: cols, rows }),
    );
    terminal.attachCustomKeyEventHandler((event) => keyIsForShell(event, terminal, setSearching));
    const unsubscribe = [
      store.onOutput(name, (data, whole) => {
        if (whole) terminal.reset();
        terminal.write(data);
      }),
      store.onConnect(open),
      onThemeChange(() => {
        terminal.options.theme = terminalTheme();
      }),
    ];
    let stopFitting = (): void => undefined;
    // A terminal measures its font when it opens. With a font that comes later, it would be larger than its box.
    void document.fonts
      .load(`13px ${token("--mono")}`)
      .catch(() => undefined)
      .then(() => {
        if (!box.current) return;
        terminal.open(box.current);
        terminal.textarea?.setAttribute("aria-label", strings.terminalInput(name));
        if (box.current.offsetParent) fit.fit();
        stopFitting = fitWhileVisible(box.current, fit);
        open();
      });
    setOpened({ terminal, fit, search });
    return () => {
      for (const end of unsubscribe) end();
      stopFitting();
      terminal.dispose();
    };
  }, [name, store]);

  const { typing } = useUi();
  useEffect(() => {
    if (!shown || typing !== name || !opened) return;
    opened.terminal.focus();
    store.set({ typing: undefined });
  }, [shown, typing, name, opened, store]);

  return (
    <div
      id={`terminal-${name}`}
      role="tabpanel"
      aria-labelledby={`tab-${name}`}
      class="panel terminal"
      data-region
      hidden={!shown}
    >
      <div class="screen" ref={box} />
      {searching && opened && (
        <SearchBox
          search={opened.search}
          onClose={() => {
            setSearching(false);
            opened.search.clearDecorations();
            opened.terminal.focus();
          }}
        />
      )}
    </div>
  );
}

/**
 * Fits a terminal to its box whenever the box has a new size. Returns the function that ends that.
 *
 * xterm draws nothing while its own observer finds it hidden, and then computes its height when the browser is
 * idle. A size that it gets before that sets its scroll bar with the old height, and the end of the output is out
 * of reach. Call this after `open`: the browser tells the younger of two observers later, so xterm draws again by then.
 */
function fitWhileVisible(box: HTMLElement, fit: FitAddon): () => void {
  let visible = false;
  const sizes = new ResizeObserver(() => {
    if (visible) fit.fit();
  });
  const visibility = new IntersectionObserver((entries) => {
    visible = entries.at(-1)?.isIntersecting ?? false;
    if (visible) fit.fit();
  });
  sizes.observe(box);
  visibility.observe(box);
  return () => {
    sizes.disconnect();
    visibility.disconnect();
  };
}

function SearchBox({ search, onClose }: { readonly search: SearchAddon; onClose(): void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <div class="terminal-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={strings.search}
        onInput={(event) => search.findPrevious(event.currentTarget.value, { incremental: true })}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter")
            (event.shiftKey ? search.findNext : search.findPrevious).call(search, event.currentTarget.value);
        }}
      />
    </div>
  );
}

/** Copy, paste and search are the browser's keys. Ctrl+C with a selection copies it. */
function keyIsForShell(
  event: KeyboardEvent,
  terminal: Terminal,
  setSearching: (searching: boolean) => void,
): boolean {
  if (event.type !== "keydown") return true;
  if (event.key === "F6") return false;
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "f" && (shiftKey || metaKey)) {
    event.preventDefault();
    setSearching(true);
    return false;
  }
  const copies = ctrlKey && key.toLowerCase() === "c" && (shiftKey || terminal.hasSelection());
  if (!copies) return !(ctrlKey && shiftKey && key.toLowerCase() === "v");
  event.preventDefault();
  void navigator.clipboard.writeText(terminal.getSelection());
  terminal.clearSelection();
  return false;
}

function terminalTheme(): ITheme {
  const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
  const colors = Object.fromEntries(
    names.flatMap((name) => [
      [name, colorToken(`--ansi-${name}`)],
      [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, colorToken(`--ansi-${name}`)],
    ]),
  );
  return {
    ...colors,
    background: colorToken("--surface"),
    foreground: colorToken("--text"),
    cursor: colorToken("--accent"),
    cursorAccent: colorToken("--surface"),
    selectionBackground: colorToken("--selection"),
  };
}
