import { render } from "preact";
import { App } from "./app.tsx";
import { openStore, StoreContext } from "./store.ts";
import { strings } from "./strings.ts";
import { applyTheme } from "./theme.ts";
import "./workbench.css";

applyTheme();
const root = document.getElementById("app");
if (root) {
  render(<p class="loading">{strings.loading}</p>, root);
  openStore().then(
    (store) =>
      render(
        <StoreContext.Provider value={store}>
          <App />
        </StoreContext.Provider>,
        root,
      ),
    (error: unknown) => render(<p class="loading">{String(error)}</p>, root),
  );
}
