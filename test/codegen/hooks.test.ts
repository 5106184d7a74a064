// Hooks for pages: an operation is named by its id, and what it takes and gives is known to the
// compiler.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../generated/validator/client.gen.ts'
import type { CreateTransferOfferRequest } from '../../generated/validator/client.gen.ts'
import { AnswerError, queryOptions } from '../../generated/validator/hooks.gen.ts'
import type {
  Data,
  Input,
  QueryResult,
  Reading,
  useMutation,
  useQuery,
} from '../../generated/validator/hooks.gen.ts'
import type { GetBalanceResponse } from '../../generated/validator/types.gen.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const exact: readonly [
  Same<Data<'getBalance'>, GetBalanceResponse>,
  Same<QueryResult<'getBalance'>['data'], GetBalanceResponse | undefined>,
  Same<Input<'createTransferOffer'>, CreateTransferOfferRequest>,
  'createTransferOffer' extends Reading ? false : true,
] = [true, true, true, true]

/** Compiled, never called. */
export function pages(query: typeof useQuery, mutation: typeof useMutation): readonly unknown[] {
  return [
    query('getBalance'),
    query('getBalance', {}, { staleTime: 1 }),
    query('listTransactions', { body: { page_size: 1n } }).data?.items.length,
    mutation('createTransferOffer')
      .mutateAsync({
        body: {
          receiver_party_id: 'bob',
          amount: '1.0',
          description: '',
          expires_at: 1n,
          tracking_id: '1',
        },
      })
      .then(({ offer_contract_id }) => offer_contract_id.length),
    // @ts-expect-error a body must be given
    query('listTransactions'),
    // @ts-expect-error no operation is called so
    query('getBallance'),
    // @ts-expect-error it changes something
    query('createTransferOffer', {
      body: {
        receiver_party_id: 'bob',
        amount: '1.0',
        description: '',
        expires_at: 1n,
        tracking_id: '1',
      },
    }),
    // @ts-expect-error it only reads
    mutation('getBalance'),
    // @ts-expect-error a balance has no such member
    query('getBalance').data?.balance,
  ]
}

const answering =
  (status: number, body: unknown): typeof fetch =>
  () =>
    Promise.resolve(
      new Response(JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json' },
      }),
    )

test('a query is kept under interface, operation and input, and gives the body of a success', async () => {
  assert.deepEqual(exact, [true, true, true, true])
  const client = createClient({
    baseUrl: 'http://localhost',
    fetch: answering(200, { dso_party_id: 'dso::1' }),
  })
  const { queryKey, queryFn } = queryOptions(client, 'getDsoPartyId')
  assert.deepEqual(queryKey, ['validator', 'getDsoPartyId', {}])
  assert.deepEqual(await queryFn({ signal: AbortSignal.timeout(1000) }), { dso_party_id: 'dso::1' })
})

test('an answer that is no success rejects with its status and body', async () => {
  const client = createClient({
    baseUrl: 'http://localhost',
    fetch: answering(404, { error: 'no wallet' }),
  })
  const asked = queryOptions(client, 'getBalance').queryFn({ signal: AbortSignal.timeout(1000) })
  await assert.rejects(
    asked,
    (error) =>
      error instanceof AnswerError &&
      error.name === 'AnswerError' &&
      error.operationId === 'getBalance' &&
      error.status === 404 &&
      JSON.stringify(error.body) === '{"error":"no wallet"}',
  )
})
