/**
 * Takes standard output for the protocol alone: whatever else writes there, the `console.log` of a dependency
 * included, since that is where it ends, lands on standard error from now on. Returns the one way that still reaches
 * standard output.
 */
export function claimStdout(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream) {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A host may close our standard error at any time; that must not end us.
  stderr.on("error", () => {});
  return (text: string, done: (error?: Error | null) => void) => {
    write(text, done);
  };
}
