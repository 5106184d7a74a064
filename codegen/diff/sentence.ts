// Fills the wording of a rule with what was found.
import { canonicalJson } from '../json.ts'
import { text } from '../values.ts'

/** Words that fill a sentence. */
interface Said {
  readonly subject: string
  readonly name?: string | undefined
  readonly before?: unknown
  readonly after?: unknown
}

const LONGEST = 80

/** One sentence: the subject, then what the rule says of it. */
export function sentence(says: string, { subject, name = '', before, after }: Said): string {
  const filled = says
    .replaceAll('{name}', () => cut(name))
    .replaceAll('{before}', () => show(before))
    .replaceAll('{after}', () => show(after))
  // A name may be any text: a report stays one line.
  return `${subject}: ${filled}`.replaceAll(/\p{Cc}+/gu, ' ')
}

function show(value: unknown): string {
  if (value === undefined) return 'none'
  return cut(
    typeof value === 'object'
      ? canonicalJson(value)
      : text(value) === undefined
        ? String(value)
        : JSON.stringify(value),
  )
}

function cut(words: string): string {
  return words.length <= LONGEST ? words : `${words.slice(0, LONGEST - 1)}…`
}
