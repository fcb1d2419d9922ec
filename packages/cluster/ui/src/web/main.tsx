import { render } from "preact";
import "./theme.css";

const root = document.getElementById("app");
if (root) render(<h1>Cluster</h1>, root);
