/** `server.json`, by which the MCP registry lists the package: printed from package.json and the table of variables. */
import about from "../../package.json" with { type: "json" };
import { variableGroups } from "../../src/config/variables.ts";

/** The registry takes a hundred characters at most. */
const description = "Ask an OpenAI model; an answer once paid for is never lost and never paid for twice.";

export function serverJson(): string {
  const manifest = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: about.mcpName,
    title: about.name,
    description,
    version: about.version,
    packages: [
      {
        registryType: "npm",
        identifier: about.name,
        version: about.version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        environmentVariables: environmentVariables(),
      },
    ],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What somebody may be asked for while setting it up; limits have their place in `.env.example`. */
function environmentVariables() {
  const asked = variableGroups.slice(0, 2).flatMap(({ variables }) => variables);
  return asked.map(({ env, purpose, takes }) => ({
    name: env,
    description: `${purpose} Takes ${takes}.`,
    isRequired: env === "OPENAI_API_KEY",
    isSecret: env === "OPENAI_API_KEY",
  }));
}
