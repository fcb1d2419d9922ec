import { render } from "preact";
import { ClusterView } from "./cluster-view.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const root = document.getElementById("app");
if (root)
  render(
    <main class="page">
      <ClusterView>
        <ThemeSwitch />
      </ClusterView>
    </main>,
    root,
  );
