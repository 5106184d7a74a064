// What became of orders of external parties: facts that each commit writes, by sender and nonce.
// docs/economy-rules.md, "Transfer commands"
import { createHash } from 'node:crypto'
import { TransferCommand } from '../../../generated/contracts.gen.ts'
import type {
  TransferCommandStatus,
  TransferCommandWithStatus,
} from '../../../generated/scan/types.gen.ts'
import { transferCommand } from '../../contracts/index.ts'
import type { ExerciseEvent, ProjectedFact, Projector } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import { contractToWire } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import { failureText } from '../../economy/failure-text.ts'
import { notFound } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'
import { TransactionTree } from '../../economy/history/tree.ts'
import { isPartyId } from './parse.ts'
import { DAY_MICROS } from '../../engine/durations.ts'

const KIND = 'scan.transfer-command'
const SHOWN_MICROS = DAY_MICROS
const MAX_SHOWN = 100
/**
 * Above every time that can be written, microseconds: keys count down from it, so that the newest
 * come first.
 */
const END_OF_TIME = 10n ** 18n
const DIGITS = 18

interface Fact {
  readonly contractId: string
  readonly status: TransferCommandStatus
}

/** Writes the status of each command that an update creates or ends. */
export const transferCommandProjector: Projector = {
  of: new Set([TransferCommand.reference]),
  project: (transaction) => {
    const tree = new TransactionTree(transaction)
    const facts = transaction.events.flatMap((event) => {
      const contract = event.kind === 'create' ? event.contract : tree.record(event.contractId)
      if (contract === undefined || !transferCommand.isOf(contract)) return []
      const status = event.kind === 'create' ? { status: 'created' as const } : endOf(event)
      return status === undefined ? [] : [factOf(contract, status)]
    })
    return { logs: [], facts: [...new Map(facts.map((fact) => [fact.key, fact])).values()] }
  },
}

/**
 * Commands of the last 24 hours with a sender's nonce, the newest 100 by contract id; 404 where
 * there is none.
 */
export async function transferCommandsOf(
  economy: Pick<Economy, 'clock' | 'store'>,
  sender: string,
  nonce: bigint,
): Promise<Record<string, TransferCommandWithStatus> | PlainError> {
  const found = isPartyId(sender) && nonce >= 0n ? await recentCommands(economy, sender, nonce) : []
  if (found.length === 0)
    return notFound(`${sender} had no transfer command with nonce ${nonce} in the last 24 hours`)
  return Object.fromEntries(found)
}

async function recentCommands(
  { store: { contracts }, clock }: Pick<Economy, 'clock' | 'store'>,
  sender: string,
  nonce: bigint,
): Promise<readonly (readonly [string, TransferCommandWithStatus])[]> {
  const prefix = prefixOf(sender, nonce)
  const facts = (await contracts.facts(KIND, prefix, MAX_SHOWN)).filter(({ key }) =>
    key.startsWith(prefix),
  )
  const statuses = new Map(
    facts.map(({ body }) => readFact(body)).map(({ contractId, status }) => [contractId, status]),
  )
  const oldest = clock.nowMicros() - SHOWN_MICROS
  return (await contracts.byIds([...statuses.keys()])).flatMap(({ contract: record }) => {
    const status = statuses.get(record.contractId)
    return status === undefined || record.createdAt < oldest
      ? []
      : [[record.contractId, { contract: contractToWire({ record }), status }]]
  })
}

/** The fact of a command that ended: pruned with the contract, which is shown beside it. */
function factOf(contract: ContractRecord, status: TransferCommandStatus): ProjectedFact {
  const { contractId, createdAt } = contract
  const { sender, nonce } = transferCommand.keysOf(contract)
  const countdown = String(END_OF_TIME - createdAt).padStart(DIGITS, '0')
  return {
    kind: KIND,
    key: `${prefixOf(sender, nonce)}${countdown}.${contractId}`,
    body: JSON.stringify({ contractId, status }),
    ...(status.status === 'created' ? {} : { isPrunable: true }),
  }
}

/** Hashed, since a sender's id may be as long as a key. */
function prefixOf(sender: string, nonce: bigint): string {
  return `${createHash('sha256')
    .update(JSON.stringify([sender, nonce.toString()]))
    .digest('hex')}.`
}

function readFact(body: string): Fact {
  return JSON.parse(body)
}

function endOf(event: ExerciseEvent): TransferCommandStatus | undefined {
  if (!event.consuming) return undefined
  switch (event.choice) {
    case 'TransferCommand_Send':
      return sendEnd(event)
    case 'TransferCommand_Expire':
      return { status: 'failed', failure_kind: 'expired', reason: 'The command expired' }
    default:
      return {
        status: 'failed',
        failure_kind: 'withdrawn',
        reason: 'The sender withdrew the command',
      }
  }
}

function sendEnd({ result: encoded }: ExerciseEvent): TransferCommandStatus {
  const { result } = TransferCommand.choices.TransferCommand_Send.result.decode(encoded)
  if (result.tag === 'TransferCommandResultSuccess') return { status: 'sent' }
  return { status: 'failed', failure_kind: 'failed', reason: failureText(result.value.reason) }
}
