// Many callers read the same from the store at about the same time: one read answers all who asked
// before it began.

/**
 * Answers with what `read` finds. At most one read is under way; who asks meanwhile shares the next
 * one, since what that one sees may be older than the question.
 */
export function nextRead<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let next: Promise<T> | undefined
  const readAfter = async (earlier: Promise<T> | undefined): Promise<T> => {
    await earlier?.catch(() => undefined)
    next = undefined
    current = read()
    return current
  }
  return () => (next ??= readAfter(current))
}
