// The application, ready to listen: the interface with its handlers, guard and errors. The server
// and the tests make it here.
import document from '../generated/__interface__/openapi.json' with { type: 'json' }
import { wire } from '../generated/__interface__/routes.gen.ts'
import { createHttpApp, documentedPresenter, mountInterface } from 'ledgerwright/http'
import type { HttpApp, HttpOptions } from 'ledgerwright/http'
import type { Caller } from './context.ts'
import { withExamples } from './examples.ts'
import { guard } from './guard.ts'
import { handlers } from './handlers/__interface__.ts'

export interface AppOptions {
  readonly log: HttpOptions<Caller>['log']
  /** No example answers: what nobody has written is 501. */
  readonly isProduction: boolean
}

/** Makes it; nothing is opened before `listen`. */
export async function createApp({ log, isProduction }: AppOptions): Promise<HttpApp> {
  const clock = { nowMicros: () => BigInt(Date.now()) * 1_000n }
  // Errors look as the document declares them. For another look, write a presenter of your own.
  const presenter = documentedPresenter(document)
  const { all } = await withExamples(handlers, isProduction)
  const mounted = mountInterface({
    wire,
    handlers: all,
    guard,
    presenter,
  })
  return createHttpApp({ interfaces: [mounted], log, clock })
}
