/** The first page of help; each command has its own. */
export function generalHelp(): string {
  return `claimcheck - paid model calls that are never lost and never paid for twice

Usage
  claimcheck [serve]        answer an MCP host on stdin and stdout (the default)
  claimcheck config HOST    print how to set up a host; writes nothing
  claimcheck list           requests, newest first
  claimcheck show ID        one request, and everything that happened to it
  claimcheck answer ID      bring a person's answer to a request
  claimcheck usage          tokens and cost by day, session, tool or model
  claimcheck doctor         what is well, what is not, and what to do about it
  claimcheck demo           see the promises kept, without a key

  claimcheck COMMAND --help says more about each.

Everywhere
  --env-file PATH   read variables from a file; the environment goes before it
  --help, -h        this text
  --version, -v     the version

Exit codes
  0 it worked
  1 it did not
  2 the command line or the configuration is wrong
  3 there is no such request

Settings are environment variables; .env.example lists them all.`;
}
