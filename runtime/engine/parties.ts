// Lists of parties are short, so they stay lists: no sets are built where a transaction is
// interpreted, unless somebody names very many.

/** Parties in a list that is searched faster than a set is made. */
const FEW = 32

/** Distinct parties, in their order. */
export function distinct(parties: readonly string[]): readonly string[] {
  if (parties.length < 2) return parties
  if (parties.length === 2 && parties[0] !== parties[1]) return parties
  return [...new Set(parties)]
}

/** Parties of `first`, then those of the others that are not before them. */
export function union(
  first: readonly string[],
  ...others: readonly (readonly string[])[]
): readonly string[] {
  const all = [...first]
  for (const parties of others) {
    if (all.length + parties.length > FEW) return [...new Set([...first, ...others.flat()])]
    for (const party of parties) if (!all.includes(party)) all.push(party)
  }
  return all.length === first.length ? first : all
}

/** Parties that are not among `others`. */
export function without(parties: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length > FEW) return [...new Set(parties).difference(new Set(others))]
  const left: string[] = []
  for (const party of parties) if (!others.includes(party)) left.push(party)
  return left
}

/** Whether one of `parties` is among `others`. */
export function meets(parties: readonly string[], others: readonly string[]): boolean {
  if (others.length > FEW) return !new Set(parties).isDisjointFrom(new Set(others))
  for (const party of parties) if (others.includes(party)) return true
  return false
}
