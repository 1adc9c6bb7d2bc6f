/** Where the words of this folder are from: modelcontextprotocol/ext-tasks, specification/draft/tasks.md at e434597. */
export const tasksExtension = "io.modelcontextprotocol/tasks";
