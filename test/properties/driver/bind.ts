// Says which contracts of the ledger the model's new ones are, those that are no holdings.
import type { Change } from '../model/plan.ts'
import type { Entity } from '../model/state.ts'
import type { Names } from '../names.ts'
import type { Seen } from './seen.ts'

/** What is alike is interchangeable and bound in order; what stays unbound, an audit will show. */
export function bindOthers(names: Names, { create }: Change, made: readonly Seen[]): void {
  const free = new Map<string, string[]>()
  for (const seen of made) {
    const key = keyOfSeen(seen)
    if (key !== undefined && seen.kind !== 'open-round')
      free.set(key, [...(free.get(key) ?? []), seen.value.id])
  }
  for (const entity of create) {
    const id = free.get(keyOf(entity) ?? '')?.shift()
    if (id !== undefined) names.bind(entity.id, id)
  }
}

function keyOfSeen(seen: Seen): string | undefined {
  if (seen.kind === 'offer' || seen.kind === 'accepted')
    return `${seen.kind} ${seen.value.sender} ${seen.value.trackingId}`
  if (seen.kind === 'instruction') return `instruction ${seen.value.sender} ${seen.value.receiver}`
  if (seen.kind === 'preapproval') return `preapproval ${seen.value.receiver}`
  if (seen.kind === 'coupon')
    return `coupon ${seen.value.of} ${seen.value.beneficiary} ${seen.value.amount}`
  return undefined
}

function keyOf(entity: Entity): string | undefined {
  if (entity.kind === 'offer' || entity.kind === 'accepted')
    return `${entity.kind} ${entity.sender} ${entity.trackingId}`
  if (entity.kind === 'instruction') return `instruction ${entity.sender} ${entity.receiver}`
  if (entity.kind === 'preapproval') return `preapproval ${entity.receiver}`
  if (entity.kind === 'coupon') return `coupon ${entity.of} ${entity.beneficiary} ${entity.amount}`
  return undefined
}
