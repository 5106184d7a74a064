// Metadata of transactions: flat texts under well-known keys. docs/economy-rules.md, "Metadata"
import type { Metadata } from '../../generated/contracts.gen.ts'
import { shortDecimal } from '../engine/decimal.ts'
import { metaKeys } from './names.ts'
import type { TransactionKind } from './names.ts'

/** Metadata of results that say nothing besides. */
export const NO_METADATA: Metadata = { values: new Map() }

/** Metadata with the kind of the transaction, and its reason if it has one. */
export function kindMetadata(kind: TransactionKind, reason: string | null = null): Metadata {
  return mergeMetadata({ values: new Map([[metaKeys().txKind, kind]]) }, reasonMetadata(reason))
}

/** `entries` whose value is a decimal, those with the value 0 left out. */
export function amountEntries(
  entries: readonly (readonly [string, bigint])[],
): readonly (readonly [string, string])[] {
  return entries
    .filter(([, amount]) => amount !== 0n)
    .map(([key, amount]) => [key, shortDecimal(amount)])
}

/** All keys of all; the later wins. */
export function mergeMetadata(...parts: readonly (Metadata | null)[]): Metadata {
  return { values: new Map(parts.flatMap((part) => [...(part?.values ?? [])])) }
}

/** A description as a transfer's reason; none where there is none. */
export function reasonMetadata(description: string | null): Metadata {
  return description === null
    ? NO_METADATA
    : { values: new Map([[metaKeys().reason, description]]) }
}
