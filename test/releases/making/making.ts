// What the parts of the script share: a client of the service that is being filled, who is who
// there, time, and commands of the ledger interface.
import { at, listAt, textAt } from '../client.ts'
import type { Client } from '../client.ts'
import type { Kept } from '../release.ts'

/** A client, and what is known of the data besides. */
export interface Acting extends Client {
  /** Filled as things are made. */
  readonly kept: Kept
}

export interface Making extends Acting {
  readonly network: {
    readonly dso: string
    readonly operator: string
    readonly synchronizer: string
    readonly participant: string
  }
}

/** Expiry of everything that the data is to have alive: later than anybody opens it. */
export const FAR = '2100-01-01T00:00:00Z'
export const FAR_MICROS = Date.parse(FAR) * 1_000

/** Parties and users of a service, by its public operations. */
export async function networkOf({ done }: Client): Promise<Making['network']> {
  const dso = textAt(await done('', 'GET /api/scan/v0/dso-party-id'), 'dso_party_id')
  const operator = textAt(await done('', 'GET /v0/validator-user'), 'party_id')
  const [connected] = listAt(
    await done('operator', 'GET /v2/state/connected-synchronizers'),
    'connectedSynchronizers',
  )
  const participant = textAt(
    await done('operator', 'GET /v2/parties/participant-id'),
    'participantId',
  )
  return { dso, operator, synchronizer: textAt(connected, 'synchronizerId'), participant }
}

/** The id of a party of this script. */
export function idOf({ kept }: Pick<Acting, 'kept'>, name: string): string {
  const id = kept.parties[name]
  if (id === undefined) throw new Error(`there is no party ${name} yet`)
  return id
}

/** The service's time, RFC 3339. */
export async function nowOf({ done }: Client): Promise<string> {
  return textAt(await done('operator', 'GET /v0/admin/clock'), 'now')
}

/** Moves the simulated clock ahead. */
export async function advance({ done }: Client, seconds: number): Promise<void> {
  await done('operator', 'POST /v0/admin/clock', { advance_microseconds: seconds * 1_000_000 })
}

let commands = 0

/** Submits commands of a user and answers the transaction with all its events. */
export function submit(
  client: Client,
  user: string,
  actAs: readonly string[],
  ...given: readonly object[]
): Promise<unknown> {
  return submitWith(client, [], user, actAs, ...given)
}

/** The same with disclosed contracts. */
export async function submitWith(
  { done }: Client,
  disclosedContracts: readonly object[],
  user: string,
  actAs: readonly string[],
  ...given: readonly object[]
): Promise<unknown> {
  commands += 1
  const filters = Object.fromEntries(actAs.map((party) => [party, {}]))
  const answer = await done(user, 'POST /v2/commands/submit-and-wait-for-transaction', {
    commands: { commandId: `release-${commands}`, actAs, commands: given, disclosedContracts },
    transactionFormat: {
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      eventFormat: { filtersByParty: filters },
    },
  })
  return at(answer, 'transaction')
}

/** A command that creates a contract; `template` is `<package>:<Module>:<Entity>`. */
export function create(template: string, createArguments: object): object {
  return { CreateCommand: { templateId: `#${template}`, createArguments } }
}

export interface Exercise {
  readonly template: string
  readonly contractId: string
  readonly choice: string
  readonly argument?: object
}

export function exercise({ template, contractId, choice, argument = {} }: Exercise): object {
  return {
    ExerciseCommand: { templateId: `#${template}`, contractId, choice, choiceArgument: argument },
  }
}

/** Ids of the contracts of a template that a transaction created. */
export function createdBy(transaction: unknown, entity: string): readonly string[] {
  return listAt(transaction, 'events')
    .map((event) => at(event, 'CreatedEvent'))
    .filter((event) => event !== undefined && textAt(event, 'templateId').endsWith(`:${entity}`))
    .map((event) => textAt(event, 'contractId'))
}

interface Seen {
  readonly id: string
  readonly payload: unknown
}

/** The active contracts of a template that one party sees, oldest first. */
export async function activeOf(
  { done }: Client,
  user: string,
  party: string,
  template: string,
): Promise<readonly Seen[]> {
  const activeAtOffset = at(await done(user, 'GET /v2/state/ledger-end'), 'offset')
  const cumulative = [
    { identifierFilter: { TemplateFilter: { value: { templateId: `#${template}` } } } },
  ]
  const eventFormat = { filtersByParty: { [party]: { cumulative } } }
  const found = await done(user, 'POST /v2/state/active-contracts', { activeAtOffset, eventFormat })
  const entries: readonly unknown[] = Array.isArray(found) ? found : []
  return entries
    .map((entry) => at(entry, 'contractEntry', 'JsActiveContract', 'createdEvent'))
    .map((event) => ({ id: textAt(event, 'contractId'), payload: at(event, 'createArgument') }))
}
