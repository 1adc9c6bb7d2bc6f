/**
 * The three forms of the request machine. Each is a resource of its own: hosts put every part of one into the
 * conversation, and twenty kilobytes of SVG beside the text would cost a model much and tell it nothing.
 */
import type { Resource } from "@modelcontextprotocol/server";
import { type MachineForm, machineForms, machineUri } from "./address.ts";

interface Card {
  mimeType: string;
  title: string;
  description: string;
}

export const machineCards: Record<MachineForm, Card> = {
  mmd: {
    mimeType: "text/vnd.mermaid",
    title: "The life of a request, as text",
    description: "The statechart that every request follows, as a Mermaid diagram: the shortest form.",
  },
  svg: {
    mimeType: "image/svg+xml",
    title: "The life of a request, as a picture",
    description: "The same statechart as SVG, to be shown to a person.",
  },
  json: {
    mimeType: "application/json",
    title: "The life of a request, as data",
    description: "The same statechart with all its states, events, guards, actions and descriptions.",
  },
};

export const machineResources: readonly Resource[] = machineForms.map((form) => ({
  uri: machineUri(form),
  name: `request-machine.${form}`,
  ...machineCards[form],
}));
