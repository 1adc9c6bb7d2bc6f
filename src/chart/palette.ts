/** Colours of a chart, light and dark. Text keeps a contrast of at least 4.5 to 1 against what it stands on. */
const mono = "'DejaVu Sans Mono',Menlo,Consolas,ui-monospace,monospace";

const shape = `
text{font-family:${mono};font-size:10.5px}
.name{font-size:13px;font-weight:700}
.middle{text-anchor:middle}
.line{fill:none;stroke-width:1.3}
.rim{fill:none}`;

const light = `
.paper,.backing{fill:#ffffff}
.paper{stroke:#d8dee4}
.live{fill:#e8f1ff;stroke:#3b76d6}
.compound.live{fill:#f5f9ff}
.unresolved{fill:#fff4df;stroke:#b87a1a}
.final{fill:#f3f5f7;stroke:#64707d}
.rim{stroke:#b6bfc8}
.name,.event{fill:#1b1f24}
.sentence{fill:#3d4752}
.aside{fill:#6a4a8c}
.line{stroke:#5b6673}
.head,.mark{fill:#5b6673}`;

const dark = `
.paper,.backing{fill:#0f141a}
.paper{stroke:#30363d}
.live{fill:#14243d;stroke:#5b93ee}
.compound.live{fill:#101a29}
.unresolved{fill:#33260d;stroke:#d59a3b}
.final{fill:#1b2229;stroke:#8b98a5}
.rim{stroke:#4a5661}
.name,.event{fill:#eef2f6}
.sentence{fill:#bcc6d0}
.aside{fill:#c9a6ef}
.line{stroke:#97a3af}
.head,.mark{fill:#97a3af}`;

const last = "\n.backing{stroke:none}\n";

/** Follows the reader's preference; what nobody prefers is light. */
export const palette = `${shape}${light}\n@media (prefers-color-scheme:dark){${dark}\n}${last}`;

/** For renderers that know no preference. */
export const palettes = { light: shape + light + last, dark: shape + dark + last } as const;
