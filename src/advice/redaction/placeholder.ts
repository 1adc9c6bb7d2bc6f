/** Values that stand for a secret and are none: templates, masks, words that say what belongs there. */

const forms: readonly RegExp[] = [
  /^\[[^\]]*\]?$/, // [REDACTED], [your key]
  /^<[^>]*>?$/, // <password>
  /^\{\{?[^}]*\}?\}?$/, // {password}, {{ token }}
  /^\\*\$/, // $TOKEN, ${TOKEN}, $(cat token)
  /\$\{/, // `Basic ${encoded}`
  /^%[a-z0-9_({]/i, // %s, %(token)s, %TOKEN%
  /^#\{/, // #{token}
  /^[*•x.…_-]+$/i, // ****, xxxx, ...
  /^(.)\1*$/, // one sign over and over
  /^(?:sk|pk|key|token|ghp|gho)[-_][*x.…]+$/i,
  /^(?:your|my|the|some|any|an?|insert|enter|put|add|set|replace|change|use|new|old)[-_ ]/i,
  /^(?:changeme|change-me|placeholder|redacted|hidden|masked|removed|omitted|secret|password|passwd|token|none|null|nil|undefined|true|false|yes|no|on|off|required|optional|string|number|boolean|integer|text|any|unknown|default|empty|todo|tbd|n\/a)$/i,
  /(?:^|[-_])(?:here|placeholder|goes-here|not-real|not_real)$/i,
];

/** Whether a value says what belongs in its place instead of being it. */
export function isPlaceholder(value: string): boolean {
  const bare = value.trim();
  return bare === "" || forms.some((form) => form.test(bare));
}
