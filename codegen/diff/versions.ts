// Compares what an operation promises over time: stability, versions, and the limit of its body.
import { fields, text } from '../values.ts'
import { note, onlyIn } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { differing } from './sets.ts'

/** Weakest first. */
const PROMISES = ['experimental', 'internal', 'stable']
const REMOVALS: ReadonlyMap<string, string> = new Map([
  ['deprecated', 'the deprecation'],
  ['removed', 'the removal'],
  ['sunset', 'the sunset'],
])

/** Notes a change of `x-stability`. */
export function compareStability(spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return
  const [old, now] = [PROMISES.indexOf(text(before) ?? ''), PROMISES.indexOf(text(after) ?? '')]
  const rule =
    after === 'deprecated'
      ? 'stability-deprecated'
      : before === 'deprecated'
        ? 'stability-undeprecated'
        : old < 0 || now < 0
          ? 'stability-changed'
          : now < old
            ? 'stability-decreased'
            : 'stability-increased'
  note(spot, rule, { before, after, ...onlyIn(before, after) })
}

/** Notes changes of `x-versions`: what is announced earlier than it was breaks plans. */
export function compareVersions(spot: Spot, before: unknown, after: unknown): void {
  for (const [key, was, is] of differing(fields(before), fields(after))) {
    const name = REMOVALS.get(key)
    const detail = { name: name ?? key, before: was, after: is, keys: [key], ...onlyIn(was, is) }
    if (name === undefined) note(spot, 'versions-changed', detail)
    else if (was === undefined) note(spot, 'removal-announced', detail)
    else if (is === undefined) note(spot, 'removal-withdrawn', detail)
    else note(spot, isSooner(String(is), String(was)) ? 'removal-sooner' : 'removal-later', detail)
  }
}

/** Whether one of two versions, or dates, is sooner. */
function isSooner(a: string, b: string): boolean {
  const [one, other] = [a, b].map((version) =>
    /^\d+(?:\.\d+)*$/u.test(version) ? version.split('.').map(Number) : undefined,
  )
  if (one === undefined || other === undefined) return a < b
  const index = one.findIndex((part, place) => part !== (other[place] ?? 0))
  return index < 0 ? one.length < other.length : (one[index] ?? 0) < (other[index] ?? 0)
}

/** Notes a change of `x-max-body-bytes`; what the host's default is, no document says. */
export function compareLimit(spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return
  const rule =
    before === undefined
      ? 'body-limit-added'
      : after === undefined
        ? 'body-limit-removed'
        : Number(after) < Number(before)
          ? 'body-limit-lowered'
          : 'body-limit-raised'
  note(spot, rule, { before, after, ...onlyIn(before, after) })
}
