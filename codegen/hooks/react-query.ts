// A generator plugin: hooks of TanStack Query over the printed client, so that a page asks for data
// by operation and nothing else.
import { readFileSync } from 'node:fs'
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { quote } from '../literals.ts'
import { filled } from '../layout.ts'
import { defineGeneratorPlugin } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'

/** Interfaces that get hooks, and the operations of theirs that read. */
export interface HooksOptions {
  /** Interfaces that get a `hooks.gen.ts`. */
  readonly interfaces: readonly string[]
  /**
   * Whether an operation only reads: it becomes a query, others mutations. GET, and names that
   * begin like a look-up, when absent.
   */
  readonly reads?: (operation: OperationIr) => boolean
}

const LOOKS_UP = /^(?:get|list|lookup|count)(?=[A-Z])/u
/** The file that the hooks of all interfaces run on, below the output folder. */
const SUPPORT_FILE = 'react-query.gen.ts'

/**
 * Adds `NAME/hooks.gen.ts`: `useQuery(OPERATION, input?)` for operations that only read,
 * `useMutation(OPERATION)` for the others, exactly typed. Pages need `@tanstack/react-query` 5.
 */
export function reactQueryHooks({ interfaces, reads = onlyReads }: HooksOptions): GeneratorPlugin {
  const chosen = new Set(interfaces)
  return defineGeneratorPlugin({
    name: 'react-query-hooks',
    version: '3',
    emit: (ir) =>
      chosen.has(ir.name)
        ? { [SUPPORT_FILE]: support(), [`${ir.name}/hooks.gen.ts`]: printHooks(ir, reads) }
        : {},
  })
}

function onlyReads({ method, operationId }: OperationIr): boolean {
  return method === 'GET' || LOOKS_UP.test(operationId)
}

/** The text of that file, with what it takes of the generator's own support. */
function support(): string {
  const text = readFileSync(new URL('./support/react-query.ts', import.meta.url), 'utf8')
  return text.replace(/'\.\.\/\.\.\/emit\/support\/[^']+'/u, "'./support.gen.ts'")
}

function printHooks(ir: InterfaceIr, reads: (operation: OperationIr) => boolean): string {
  const reading = ir.operations.filter(reads).map(({ operationId }) => quote(operationId))
  return `import type { UseQueryResult } from '@tanstack/react-query'
import { hooksOf } from '../${SUPPORT_FILE}'
import type { DataOf, InputOf } from '../${SUPPORT_FILE}'
import type { Client } from './client.gen.ts'

export { AnswerError } from '../${SUPPORT_FILE}'

/** Operations that only read: queries. The others are mutations. */
export type Reading = (typeof READING)[number]

const READING = [
${filled(reading, '  ').join('\n')}
] as const

export const { ClientContext, queryOptions, useClient, useMutation, useQuery } = hooksOf<Client, Reading>(${quote(ir.name)})

/** The input of an operation. */
export type Input<Operation extends keyof Client> = InputOf<Client, Operation>

/** The body with which an operation succeeds. */
export type Data<Operation extends keyof Client> = DataOf<Client, Operation>

/** The result of \`useQuery\` for an operation. */
export type QueryResult<Operation extends Reading> = UseQueryResult<Data<Operation>>
`
}
