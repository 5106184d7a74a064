// How much of a long list is asked for: more of it nobody reads, and others may make it any length.

export const OLDEST = { query: { limit: 1_000 } } as const
