/** The request machine in each of its forms, drawn from the machine itself. Loaded when somebody asks for it. */
import layout from "../../chart/layout.request.json" with { type: "json" };
import { mermaid } from "../../chart/mermaid.ts";
import { palette } from "../../chart/palette.ts";
import { requestCaption, requestChart, requestDrawing } from "../../chart/request-picture.ts";
import { svg } from "../../chart/svg.ts";
import type { MachineForm } from "./address.ts";

const draw: Record<MachineForm, () => string> = {
  mmd: () => mermaid(requestDrawing),
  svg: () => svg(layout, requestCaption, palette),
  json: () => JSON.stringify(requestChart),
};

export function machinePicture(form: MachineForm): string {
  return draw[form]();
}
