// The arguments of a transfer for which a registry is asked for its factory. Version 2 names
// accounts where version 1 names parties; the coin has accounts of their owner alone.
// docs/economy-rules.md, "Choice contexts" and "Token-standard transfers"
import { TransferFactory } from '../../../generated/contracts.gen.ts'
import type { InstrumentId, TransferFactory_Transfer } from '../../../generated/contracts.gen.ts'
import { member } from '../../host/member.ts'
import type { Economy } from '../../economy/economy.ts'
import { badRequest, notFound, PlainError } from '../../economy/errors.ts'

type TransferArguments = TransferFactory_Transfer['transfer']

/**
 * What the JSON says; 400 where it is no transfer that could ever be made, 404 for another
 * registry's instrument.
 */
export function transferArguments(
  economy: Pick<Economy, 'parties' | 'wire'>,
  json: unknown,
  version: 1 | 2,
): TransferArguments | PlainError {
  const arguments1 = version === 1 ? json : withOwners(json)
  if (arguments1 instanceof PlainError) return arguments1
  const { TransferFactory_Transfer } = TransferFactory.choices
  const decoded = decodeArguments(TransferFactory_Transfer.argument, arguments1)
  return decoded instanceof PlainError ? decoded : (problemOf(economy, decoded) ?? decoded.transfer)
}

/** The arguments in the JSON; 400 where it is no argument of the choice. */
export function decodeArguments<T>(
  codec: { readonly decode: (json: unknown) => T },
  json: unknown,
): T | PlainError {
  try {
    return codec.decode(json)
  } catch (error) {
    return badRequest(`choiceArguments: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function problemOf(
  economy: Pick<Economy, 'parties' | 'wire'>,
  { expectedAdmin, transfer }: TransferFactory_Transfer,
): PlainError | undefined {
  const problem = coinProblem(economy, expectedAdmin, transfer)
  if (problem !== undefined) return problem
  return transfer.executeBefore > transfer.requestedAt
    ? undefined
    : badRequest('executeBefore must be after requestedAt')
}

/** 400 for another admin or an amount that is not positive, 404 for another instrument. */
export function coinProblem(
  { parties: { dso }, wire: { instrumentId } }: Pick<Economy, 'parties' | 'wire'>,
  expectedAdmin: string,
  wanted: { readonly instrumentId: InstrumentId; readonly amount: bigint },
): PlainError | undefined {
  if (expectedAdmin !== dso) return badRequest(`The admin of this registry is ${dso}`)
  const { admin, id } = wanted.instrumentId
  if (admin !== dso || id !== instrumentId)
    return notFound(`No instrument ${id} of ${admin} in this registry`)
  return wanted.amount > 0n ? undefined : badRequest('The amount must be positive')
}

/** Accounts replaced by their owners. */
function withOwners(json: unknown): unknown {
  const transfer = member(json, 'transfer')
  const [sender, receiver] = [
    ownerOf(member(transfer, 'sender')),
    ownerOf(member(transfer, 'receiver')),
  ]
  if (sender === undefined || receiver === undefined)
    return badRequest('Sender and receiver are accounts of an owner, with no provider and id')
  return { ...objectOf(json), transfer: { ...objectOf(transfer), sender, receiver } }
}

function ownerOf(account: unknown): string | undefined {
  const owner = member(account, 'owner')
  const isPlain =
    (member(account, 'provider') ?? null) === null && (member(account, 'id') ?? '') === ''
  return typeof owner === 'string' && isPlain ? owner : undefined
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
