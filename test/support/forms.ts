// Bracketed text: how tests write values, programs and types of the contract language.

/** An atom, in which texts keep their quotes, or a list. */
export type Form = string | readonly Form[]

/** Forms that stand one after the other. */
export function formsOf(text: string): readonly Form[] {
  const outer: Form[] = []
  const open = [outer]
  for (const token of text.match(/"[^"]*"|[()]|[^\s()]+/g) ?? []) {
    const inner = open.at(-1) ?? outer
    if (token === ')') open.pop()
    else if (token === '(') {
      const list: Form[] = []
      inner.push(list)
      open.push(list)
    } else inner.push(token)
  }
  return outer
}
