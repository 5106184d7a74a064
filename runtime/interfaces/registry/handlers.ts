// The registry of the coin, and of the development network's test token as far as its allocations
// wait for somebody. Open to anybody: it tells what is on the ledger anyway, and only to who knows
// an id. docs/economy-rules.md, "Choice contexts"
import type { Handlers } from '../../../generated/registry/handlers.gen.ts'
import type {
  ChoiceContextRequest,
  GetFactoryRequest,
  Instrument,
} from '../../../generated/registry/types.gen.ts'
import { formatDecimal } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'
import type { Context } from '../reply.ts'
import { timeText } from '../../participant/time.ts'
import { answer, badRequest, notFound, PlainError } from '../../economy/errors.ts'
import { contextToWire, withMetadata } from '../../economy/choice-context/choice-context.ts'
import {
  allocationContext,
  allocationFactoryContext,
  allocationInstructionContext,
  transferContext,
  transferInstructionContext,
} from '../../economy/choice-context/contexts.ts'
import type {
  AllocationChoice,
  InstructionChoice,
  InstructionContext,
} from '../../economy/choice-context/contexts.ts'
import { allocationProblem } from './allocation-arguments.ts'
import { transferArguments } from './transfer-arguments.ts'

const DECIMALS = 10

/** Minor versions of the interfaces that the coin implements, by package. */
const SUPPORTED_APIS = {
  'network-api-token-metadata-v1': 1,
  'network-api-token-holding-v1': 1,
  'network-api-token-transfer-instruction-v1': 1,
  'network-api-token-allocation-v1': 1,
  'network-api-token-allocation-instruction-v1': 1,
}

/** Handlers of all operations of the registry. */
export function registryHandlers(economy: Economy): Handlers<Context> {
  const transfers =
    (choice: InstructionChoice) =>
    async ({ path, body }: TransferInput) =>
      context(await transferInstructionContext(economy, path.transferInstructionId, choice), body)
  const allocations =
    (choice: AllocationChoice) =>
    async ({ path, body }: AllocationInput) =>
      context(await allocationContext(economy, path.allocationId, choice), body)
  const instructions =
    (choice: InstructionChoice) =>
    async ({ path, body }: AllocationInstructionInput) =>
      context(
        await allocationInstructionContext(economy, path.allocationInstructionId, choice),
        body,
      )
  return {
    getRegistryInfo: () => ({
      status: 200,
      body: { adminId: economy.parties.dso, supportedApis: SUPPORTED_APIS },
    }),
    listInstruments: async ({ query: { pageSize, pageToken } }) =>
      answer(await instruments(economy, pageSize, pageToken), (page) => page),
    getInstrument: async ({ path }) =>
      answer(await instrument(economy, path.instrumentId), (found) => found),
    getTransferFactory: ({ body }) => transferFactory(economy, body, 1),
    getTransferFactoryV2: ({ body }) => transferFactory(economy, body, 2),
    getTransferInstructionAcceptContext: transfers('accept'),
    getTransferInstructionRejectContext: transfers('reject'),
    getTransferInstructionWithdrawContext: transfers('withdraw'),
    getTransferInstructionAcceptContextV2: transfers('accept'),
    getTransferInstructionRejectContextV2: transfers('reject'),
    getTransferInstructionWithdrawContextV2: transfers('withdraw'),
    getAllocationFactory: ({ body }) => allocationFactory(economy, body),
    getAllocationTransferContext: allocations('execute-transfer'),
    getAllocationWithdrawContext: allocations('withdraw'),
    getAllocationCancelContext: allocations('cancel'),
    getAllocationInstructionAcceptContext: instructions('accept'),
    getAllocationInstructionWithdrawContext: instructions('withdraw'),
  }
}

interface TransferInput {
  readonly path: { readonly transferInstructionId: string }
  readonly body: ChoiceContextRequest | undefined
}

interface AllocationInput {
  readonly path: { readonly allocationId: string }
  readonly body: ChoiceContextRequest | undefined
}

interface AllocationInstructionInput {
  readonly path: { readonly allocationInstructionId: string }
  readonly body: ChoiceContextRequest | undefined
}

function context(
  found: InstructionContext<unknown> | PlainError,
  { excludeDebugFields = false, meta = {} }: ChoiceContextRequest = {},
) {
  const complete = found instanceof PlainError ? found : withMetadata(found.context, meta)
  return answer(complete, (one) => contextToWire(one, excludeDebugFields))
}

async function transferFactory(
  economy: Pick<Economy, 'network' | 'parties' | 'wire'>,
  { choiceArguments, excludeDebugFields = false }: GetFactoryRequest,
  version: 1 | 2,
) {
  const wanted = transferArguments(economy, choiceArguments, version)
  const found = wanted instanceof PlainError ? wanted : await transferContext(economy, wanted)
  return answer(found, ({ factory, kind, context: values }) => ({
    factoryId: factory.id,
    transferKind: kind,
    choiceContext: contextToWire(values, excludeDebugFields),
  }))
}

async function allocationFactory(
  economy: Pick<Economy, 'network' | 'parties' | 'wire'>,
  { choiceArguments, excludeDebugFields = false }: GetFactoryRequest,
) {
  const problem = allocationProblem(economy, choiceArguments)
  const found = problem ?? (await allocationFactoryContext(economy))
  return answer(found, ({ factory, context: values }) => ({
    factoryId: factory.id,
    choiceContext: contextToWire(values, excludeDebugFields),
  }))
}

async function instruments(
  economy: Pick<Economy, 'clock' | 'reader' | 'settings' | 'wire'>,
  pageSize: number,
  pageToken = '',
) {
  const all = [await coinInstrument(economy)]
  if (pageToken !== '' && !all.some(({ id }) => id === pageToken))
    return badRequest('pageToken is not a nextPageToken of this registry')
  const rest = all.filter(({ id }) => id > pageToken)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  return {
    instruments: page,
    ...(last === undefined || page.length === rest.length ? {} : { nextPageToken: last.id }),
  }
}

async function instrument(
  economy: Pick<Economy, 'clock' | 'reader' | 'settings' | 'wire'>,
  id: string,
): Promise<Instrument | PlainError> {
  return id === economy.wire.instrumentId
    ? coinInstrument(economy)
    : notFound(`No instrument ${id} in this registry`)
}

async function coinInstrument({
  reader,
  clock,
  wire,
  settings: { network },
}: Pick<Economy, 'clock' | 'reader' | 'settings' | 'wire'>): Promise<Instrument> {
  const { amount } = await reader.total('supply', '')
  return {
    id: wire.instrumentId,
    name: network.coinName,
    symbol: network.coinNameAcronym,
    totalSupply: formatDecimal(amount),
    totalSupplyAsOf: timeText(clock.nowMicros()),
    decimals: DECIMALS,
    supportedApis: SUPPORTED_APIS,
  }
}
