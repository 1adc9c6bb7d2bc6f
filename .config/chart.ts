/** Places the request machine's chart and draws it: run after the machine changed. `--check` only compares. */
import elk from "elkjs/lib/elk.bundled.js";
import { layOut } from "../src/chart/layout.ts";
import { palette } from "../src/chart/palette.ts";
import { requestCaption, requestDrawing, requestLegend } from "../src/chart/request-picture.ts";
import { svg } from "../src/chart/svg.ts";
import { formatted, settle } from "./generated.ts";

const layout = await layOut(requestDrawing, requestLegend, (graph) => new elk.default().layout(graph));

const layoutFile = "src/chart/layout.request.json";

await settle({
  [layoutFile]: formatted(layoutFile, JSON.stringify(layout)),
  "machines/request.svg": svg(layout, requestCaption, palette),
});
