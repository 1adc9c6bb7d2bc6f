/** Material for tests: nothing but a question, or as much of everything as a test says. */
import type { Material } from "../../src/advice/material.ts";

export function material(over: Partial<Material> = {}): Material {
  return {
    preferences: null,
    project: null,
    projectSummary: null,
    taskSummary: null,
    constraints: [],
    question: "Is it sound?",
    expectedOutput: null,
    context: null,
    files: [],
    logs: null,
    ...over,
  };
}

export const file = (content: string, path = "src/a.ts") => ({ path, language: null, content });
