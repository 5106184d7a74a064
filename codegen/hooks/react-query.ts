// A generator plugin: hooks of TanStack Query over the printed client, so that a page asks for data by operation and nothing else.
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { operationTypeNames, propertyKey, quote } from '../emit/names.ts'
import { defineGeneratorPlugin } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'

export interface HooksOptions {
  /** Interfaces that get a `hooks.gen.ts`. */
  readonly interfaces: readonly string[]
  /** Whether an operation only reads: it becomes a query, others mutations. GET, and names that begin like a look-up, when absent. */
  readonly reads?: (operation: OperationIr) => boolean
}

const LOOKS_UP = /^(?:get|list|lookup|count)(?=[A-Z])/u

/** Adds `NAME/hooks.gen.ts`: for each operation a hook, and for those that read the query behind it. Pages need `@tanstack/react-query`. */
export function reactQueryHooks({ interfaces, reads = onlyReads }: HooksOptions): GeneratorPlugin {
  const chosen = new Set(interfaces)
  return defineGeneratorPlugin({
    name: 'react-query-hooks',
    version: '1',
    emit: (ir) => (chosen.has(ir.name) ? { [`${ir.name}/hooks.gen.ts`]: printHooks(ir, reads) } : {}),
  })
}

function onlyReads({ method, operationId }: OperationIr): boolean {
  return method === 'GET' || LOOKS_UP.test(operationId)
}

function printHooks(ir: InterfaceIr, reads: (operation: OperationIr) => boolean): string {
  const names = operationTypeNames(ir)
  const hooks = ir.operations.map((operation) => {
    const name = names.get(operation.operationId) ?? operation.operationId
    return reads(operation) ? printQuery(ir, operation, name) : printMutation(operation, name)
  })
  const types = ir.operations.flatMap(({ operationId }) => {
    const name = names.get(operationId) ?? operationId
    return [`${name}Answer`, `${name}Request`]
  })
  return `${printHead(ir, types.toSorted())}\n${hooks.join('\n')}`
}

function printHead(ir: InterfaceIr, types: readonly string[]): string {
  return `import { createContext, useContext } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { UseMutationOptions, UseMutationResult, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import type {
  Client,
${types.map((name) => `  ${name},\n`).join('')}} from './client.gen.ts'

/** The client of all hooks below its provider. */
export const ClientContext = createContext<Client | undefined>(undefined)

/** The client; throws outside of a provider. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (client === undefined) throw new Error('hooks of ${ir.name} need a ClientContext.Provider')
  return client
}

type Answered = { readonly status: number; readonly body?: unknown }
type Fine<A extends Answered> = Extract<A, { readonly status: 200 | 201 | 202 | 204 }>['body']

/** An answer that is no success: its status and body as they came. */
export class AnswerError extends Error {
  readonly operationId: string
  readonly status: number
  readonly body: unknown

  constructor(operationId: string, { status, body }: Answered) {
    super(\`\${operationId} was answered with \${status}\`)
    this.name = 'AnswerError'
    this.operationId = operationId
    this.status = status
    this.body = body
  }
}

function isFine<A extends Answered>(answer: A): answer is A & { readonly body: Fine<A> } {
  return answer.status < 300
}

function fine<A extends Answered>(operationId: string, answer: A): Fine<A> {
  if (isFine(answer)) return answer.body
  throw new AnswerError(operationId, answer)
}

type QueryOptions<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>
type MutationOptions<T, I> = Omit<UseMutationOptions<T, Error, I>, 'mutationFn'>
type Query<T> = { readonly queryKey: readonly unknown[]; readonly queryFn: (call: { readonly signal: AbortSignal }) => Promise<T> }
`
}

function needsInput(operation: OperationIr): boolean {
  return operation.parameters.some(({ required }) => required) || operation.body?.required === true
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function member(operation: OperationIr): string {
  const key = propertyKey(operation.operationId)
  return key.startsWith('[') ? key : key.startsWith("'") ? `[${key}]` : `.${key}`
}

function printQuery(ir: InterfaceIr, operation: OperationIr, name: string): string {
  const input = needsInput(operation) ? `input: ${name}Request` : `input: ${name}Request = {}`
  const id = quote(operation.operationId)
  return `/** ${operation.method} ${operation.path} */
export function ${lower(name)}Query(client: Client, ${input}): Query<Fine<${name}Answer>> {
  return {
    queryKey: [${quote(ir.name)}, ${id}, input],
    queryFn: async ({ signal }) => fine(${id}, await client${member(operation)}(input, { signal })),
  }
}

/** ${operation.method} ${operation.path} */
export function use${upper(name)}(${input}, options: QueryOptions<Fine<${name}Answer>> = {}): UseQueryResult<Fine<${name}Answer>> {
  return useQuery({ ...options, ...${lower(name)}Query(useClient(), input) })
}
`
}

function printMutation(operation: OperationIr, name: string): string {
  const id = quote(operation.operationId)
  const result = `Fine<${name}Answer>, ${name}Request`
  return `/** ${operation.method} ${operation.path} */
export function use${upper(name)}(
  options: MutationOptions<${result}> = {},
): UseMutationResult<Fine<${name}Answer>, Error, ${name}Request> {
  const client = useClient()
  return useMutation({ ...options, mutationFn: async (input: ${name}Request) => fine(${id}, await client${member(operation)}(input)) })
}
`
}
