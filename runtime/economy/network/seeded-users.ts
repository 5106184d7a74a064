// The people whom a new development network begins with: named apart from what gives them coin, for
// those who only greet them.

/** User ids. */
export const SEEDED_USERS = ['alice', 'bob'] as const
