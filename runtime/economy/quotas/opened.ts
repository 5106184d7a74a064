// Contracts that a transaction opens, as quotas count them.
import type { Transaction } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'

/** Contracts that a transaction creates and does not close again. */
export function openedBy({ events }: Transaction): readonly ContractRecord[] {
  const open = new Map<string, ContractRecord>()
  for (const event of events)
    if (event.kind === 'create') open.set(event.contract.contractId, event.contract)
    else if (event.consuming) open.delete(event.contractId)
  return [...open.values()]
}

/** Each item of a name once, with how many there are. */
export function counted<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): readonly (T & { readonly count: number })[] {
  return [...Map.groupBy(items, nameOf).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({ ...first, count: alike.length })),
  )
}
