// The bound on texts that wallet contracts carry. docs/economy-rules.md, "Legacy offers"

const LIMIT = 280

/** Whether a text has fewer than 280 characters (code points). */
export function isShort(text: string): boolean {
  return text.length < LIMIT || [...text].length < LIMIT
}
