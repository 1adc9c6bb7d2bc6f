/** Whether what is asked is kept for later turns: only where upstream keeps no conversation, or nowhere. */
export const transcriptPolicies = ["auto", "off"] as const;
export type TranscriptPolicy = (typeof transcriptPolicies)[number];
