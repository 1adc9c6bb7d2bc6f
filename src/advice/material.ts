/** What an opinion is asked with, part by part: all of it texts of the caller's and the user's, none of ours. */
export interface Material {
  preferences: string | null;
  project: string | null;
  projectSummary: string | null;
  taskSummary: string | null;
  constraints: readonly string[];
  question: string;
  expectedOutput: string | null;
  context: string | null;
  files: readonly SourceFile[];
  logs: string | null;
}

export interface SourceFile {
  path: string;
  language: string | null;
  content: string;
}

/** The same material with every text put through `change`. */
export function mapTexts(material: Material, change: (text: string) => string): Material {
  const orNull = (text: string | null) => (text === null ? null : change(text));
  return {
    preferences: orNull(material.preferences),
    project: orNull(material.project),
    projectSummary: orNull(material.projectSummary),
    taskSummary: orNull(material.taskSummary),
    constraints: material.constraints.map(change),
    question: change(material.question),
    expectedOutput: orNull(material.expectedOutput),
    context: orNull(material.context),
    files: material.files.map(({ path, language, content }) => ({
      path: change(path),
      language: orNull(language),
      content: change(content),
    })),
    logs: orNull(material.logs),
  };
}
