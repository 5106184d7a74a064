// Lists of parties are short, so they stay lists: no sets are built where a transaction is
// interpreted, unless somebody names very many.

/** Comparisons that cost less than a set. */
const FEW = 256

/** Distinct parties, in their order. */
export function distinct(parties: readonly string[]): readonly string[] {
  if (parties.length < 2) return parties
  if (parties.length === 2 && parties[0] !== parties[1]) return parties
  return [...new Set(parties)]
}

/** Parties of `one`, then those of `other` that are not among them. */
export function union(one: readonly string[], other: readonly string[]): readonly string[] {
  const fresh = without(other, one)
  if (fresh.length === 0) return one
  return one.length === 0 ? fresh : [...one, ...fresh]
}

/** Parties that are not among `others`. */
export function without(parties: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return parties
  if (parties.length * others.length <= FEW)
    return parties.filter((party) => !others.includes(party))
  const known = new Set(others)
  return parties.filter((party) => !known.has(party))
}

/** Whether one of `parties` is among `others`. */
export function meets(parties: readonly string[], others: readonly string[]): boolean {
  return parties.length * others.length <= FEW
    ? parties.some((party) => others.includes(party))
    : !new Set(parties).isDisjointFrom(new Set(others))
}
