// Single requests of an operation, drawn with a seed of their own: the same run asks the same.
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { RequestCase } from './facts.ts'
import { CHOICES, filled } from './fill.ts'
import type { Choices } from './fill.ts'
import type { Session, Target } from './session.ts'

/** A number made of a text and a seed: operations do not depend on each other's draws. */
export function seedOf(seed: number, text: string): number {
  let hash = seed | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Values of an arbitrary. */
export function draw<T>(arbitrary: Arbitrary<T>, count: number, seed: number): readonly T[] {
  return fc.sample(arbitrary, { numRuns: count, seed })
}

/** Choices that fill every place with the known value at `index`. */
export function fillAll(index: number): Choices {
  return Array.from({ length: CHOICES }, () => index * 8 + 7)
}

/** Requests that the document admits, with known identifiers wherever there are any. */
export function validRequests(session: Session, target: Target, count: number, purpose: string): readonly RequestCase[] {
  const { operation } = target
  const seed = seedOf(session.options.seed, `${operation.operationId} ${purpose}`)
  return draw(operation.valid, count, seed).flatMap((request, index) => {
    return filled(session.learner, operation, request, fillAll(index)) ?? []
  })
}
