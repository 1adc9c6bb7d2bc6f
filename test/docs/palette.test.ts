import { expect, describe as group, test } from "vitest";
import { palette, palettes } from "../../src/chart/palette.ts";

const grounds = ["paper", "live", "compound.live", "unresolved", "final"];
const texts = ["name", "sentence", "aside", "event"];

group("the colours of a picture", () => {
  test.each(Object.keys(palettes))("let every text be read on every ground: %s", (name) => {
    const style = name === "light" ? palettes.light : palettes.dark;
    for (const ground of grounds) {
      for (const text of texts) {
        expect(
          contrast(colour(style, text, "fill"), colour(style, ground, "fill")),
          `${text} on ${ground}`,
        ).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test.each(Object.keys(palettes))("let every line and border be seen: %s", (name) => {
    const style = name === "light" ? palettes.light : palettes.dark;
    const paper = colour(style, "paper", "fill");
    for (const drawn of ["line", "live", "unresolved", "final"]) {
      expect(contrast(colour(style, drawn, "stroke"), paper), drawn).toBeGreaterThanOrEqual(3);
    }
  });

  test("follow the reader's preference", () => {
    const [light = "", dark = ""] = palette.split("@media (prefers-color-scheme:dark)");
    expect(colour(light, "paper", "fill")).toBe(colour(palettes.light, "paper", "fill"));
    expect(colour(dark, "paper", "fill")).toBe(colour(palettes.dark, "paper", "fill"));
  });
});

/** The last rule for the class that sets the property: later rules win. */
function colour(style: string, name: string, property: string): string {
  const found = style
    .split("\n")
    .filter((rule) => rule.slice(0, rule.indexOf("{")).split(",").includes(`.${name}`))
    .map((rule) => new RegExp(`${property}:(#[0-9a-f]{6})`).exec(rule)?.[1])
    .findLast((value) => value !== undefined);
  if (found === undefined) throw new Error(`No ${property} for .${name}.`);
  return found;
}

/** WCAG 2.2: the ratio of relative luminances. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
