// While the project grows: operations that nobody has written yet answer with examples, which bear
// `x-example-answer: true`. In production they answer 501. Once every operation is written, this
// file can go.
import { arbitraries } from '../generated/__interface__/arbitraries.gen.ts'
import type { Handlers } from '../generated/__interface__/handlers.gen.ts'
import { wire } from '../generated/__interface__/routes.gen.ts'
import { exampleHandlers } from 'ledgerwright/examples'
import type { Context } from './context.ts'

/**
 * Handlers for every operation: yours, and examples for the rest. Production does without
 * fast-check. They come within an object, because a promise of handlers would wait for one that is
 * called `then`.
 */
export async function withExamples(handlers: Partial<Handlers<Context>>, isProduction: boolean) {
  if (isProduction) return { all: exampleHandlers({ wire, handlers, production: true }) }
  const { default: fc } = await import('fast-check')
  return { all: exampleHandlers({ wire, handlers, arbitraries: arbitraries(fc) }) }
}
