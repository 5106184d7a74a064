// What the hooks of all interfaces run on: TanStack Query over a printed client, an operation named
// by its id.
import { createContext, useContext } from 'react'
import type { Context } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  UseMutationOptions,
  UseMutationResult,
  UseQueryOptions,
  UseQueryResult,
} from '@tanstack/react-query'
import { AnswerError } from '../../emit/support/client-or-throw.ts'

export { AnswerError }

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body?: unknown
}

type Method = (input: never, call?: { readonly signal?: AbortSignal }) => Promise<Answer>
/** The methods of a printed client. */
export type Methods<C> = { readonly [Operation in keyof C]: Method }

/** The input of an operation. */
export type InputOf<C extends Methods<C>, Operation extends keyof C> = NonNullable<
  Parameters<C[Operation]>[0]
>

/** The body with which an operation succeeds. */
export type DataOf<C extends Methods<C>, Operation extends keyof C> = Extract<
  Awaited<ReturnType<C[Operation]>>,
  { readonly status: 200 | 201 | 202 | 204 }
>['body']

/** The input, left out where the client lets it be, and what follows it. */
type Asked<
  C extends Methods<C>,
  Operation extends keyof C,
  Rest extends readonly unknown[],
> = undefined extends Parameters<C[Operation]>[0]
  ? [input?: InputOf<C, Operation>, ...Rest]
  : [input: InputOf<C, Operation>, ...Rest]

type QuerySettings<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>
type MutationSettings<Data, Input> = Omit<UseMutationOptions<Data, Error, Input>, 'mutationFn'>

/** The place of an operation's data, and the way to ask for it. */
export interface OperationQuery<Data> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (call: { readonly signal: AbortSignal }) => Promise<Data>
}

/** The hooks of an interface with client `C`, whose operations `Reading` only read. */
export interface OperationHooks<C extends Methods<C>, Reading extends keyof C> {
  /** The client of all hooks below its provider. */
  readonly ClientContext: Context<C | undefined>
  /** The client; throws outside of a provider. */
  useClient(): C
  /** The options of `useQuery`, for a client at hand. */
  queryOptions<Operation extends Reading>(
    client: C,
    operation: Operation,
    ...asked: Asked<C, Operation, []>
  ): OperationQuery<DataOf<C, Operation>>
  /** The data of an operation that only reads; an AnswerError where the answer is no success. */
  useQuery<Operation extends Reading>(
    operation: Operation,
    ...asked: Asked<C, Operation, [options?: QuerySettings<DataOf<C, Operation>>]>
  ): UseQueryResult<DataOf<C, Operation>>
  /**
   * Calls of an operation that changes something; they reject with an AnswerError where the answer
   * is no success.
   */
  useMutation<Operation extends Exclude<keyof C, Reading>>(
    operation: Operation,
    options?: MutationSettings<DataOf<C, Operation>, InputOf<C, Operation>>,
  ): UseMutationResult<DataOf<C, Operation>, Error, InputOf<C, Operation>>
}

/** The hooks of the interface called `name`. */
export function hooksOf<C extends Methods<C>, Reading extends keyof C>(
  name: string,
): OperationHooks<C, Reading>
export function hooksOf(name: string): unknown {
  const ClientContext = createContext<AnyClient | undefined>(undefined)
  const useClient = (): AnyClient => {
    const client = useContext(ClientContext)
    if (client === undefined) throw new Error(`hooks of ${name} need a ClientContext.Provider`)
    return client
  }
  const queryOptions = (
    client: AnyClient,
    operation: string,
    input: unknown = {},
  ): OperationQuery<unknown> => ({
    queryKey: [name, operation, input],
    queryFn: ({ signal }) => bodyOf(client, operation, input, { signal }),
  })
  return {
    ClientContext,
    useClient,
    queryOptions,
    useQuery: (operation: string, input: unknown = {}, options: QuerySettings<unknown> = {}) =>
      useQuery({ ...options, ...queryOptions(useClient(), operation, input) }),
    useMutation: (operation: string, options: MutationSettings<unknown, unknown> = {}) => {
      const client = useClient()
      return useMutation({ ...options, mutationFn: (input) => bodyOf(client, operation, input) })
    },
  }
}

/** A client to which nothing is known of its operations: their types are those of `hooksOf`. */
type AnyClient = Readonly<
  Record<string, (input: unknown, call?: { readonly signal?: AbortSignal }) => Promise<Answer>>
>

async function bodyOf(
  client: AnyClient,
  operation: string,
  input: unknown,
  call?: { readonly signal: AbortSignal },
): Promise<unknown> {
  const method = client[operation]
  if (method === undefined) throw new Error(`the client has no operation ${operation}`)
  const answer = await method(input, call)
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new AnswerError(operation, answer)
}
