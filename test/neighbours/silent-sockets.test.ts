// Websockets whose clients read nothing: however many users have however many of them, the service
// holds no more for them than its limit, and everybody else is served as before.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf, path, startLedger } from '../interfaces/ledger-kit.ts'
import type { LedgerClient, LedgerUser } from '../interfaces/ledger-kit.ts'
import { openStream } from '../interfaces/stream-client.ts'
import type { StreamClient } from '../interfaces/stream-client.ts'
import { call } from '../support/http.ts'
import { heldMemory, memoryProbe } from '../support/memory-probe.ts'
import { storesFor } from '../support/storages.ts'
import { tempDir } from '../support/temp-dir.ts'

const PROPOSAL =
  '#network-util-token-standard-wallet:Network.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal'
const WAIT = 'POST /v2/commands/submit-and-wait'
const MIB = 1_024 * 1_024
const [USERS, SOCKETS, UPDATES, CREATES] = [10, 100, 2, 240]
/** Twice the limit of unread bytes, and as much as the service may have of memory in all. */
const [MOST_MIB, MOST_RESIDENT_MIB] = [128, 512]

async function newUser({ service, admin }: LedgerClient, id: string): Promise<LedgerUser> {
  const allocated = await call(service.url, 'POST /v2/parties', {
    token: admin,
    body: { partyIdHint: id },
  })
  const party = String(path(allocated.json, 'partyDetails', 'party'))
  const rights = [{ kind: { CanActAs: { value: { party } } } }]
  const created = await call(service.url, 'POST /v2/users', {
    token: admin,
    body: { user: { id, primaryParty: party }, rights },
  })
  assert.equal(created.status, 200, created.text)
  return { id, party, token: await service.token(id) }
}

/** A proposal as large as one may be. */
function proposal({ party }: LedgerUser): object {
  const meta = { values: { text: 'x'.repeat(3_900) } }
  const createArguments = { delegation: { operator: party, owner: party, meta } }
  return { CreateCommand: { templateId: PROPOSAL, createArguments } }
}

function everything({ party }: LedgerUser): object {
  const identifierFilter = { WildcardFilter: { value: { includeCreatedEventBlob: true } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } } }
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
  return { includeTransactions: { eventFormat, transactionShape } }
}

/** A stream of all updates that is not read. */
async function openSilent({ service }: LedgerClient, user: LedgerUser): Promise<StreamClient> {
  const opened = await openStream(service.url, '/v2/updates', undefined, { token: user.token })
  if (!('elements' in opened)) return assert.fail(`${opened.status} ${opened.body}`)
  opened.socket.pause()
  opened.socket.send(JSON.stringify({ beginExclusive: 0, updateFormat: everything(user) }))
  return opened
}

for (const storage of storesFor('silent sockets')) {
  test(`a thousand silent websockets of ten users fill no memory, on ${storage.name}`, async (t) => {
    const folder = await tempDir()
    const probe = join(folder.path, 'memory.json')
    const config = { network: { traffic: { baseBurstBytes: 1_000_000_000 } } }
    const probed = memoryProbe(probe)
    const env = { ...probed, NODE_OPTIONS: `${probed['NODE_OPTIONS']} --max-old-space-size=256` }
    const ledger = await startLedger(storage, config, env)
    t.after(async () => {
      await ledger.stop()
      await folder.remove()
    })
    const users: LedgerUser[] = []
    for (let at = 0; at < USERS; at += 1) users.push(await newUser(ledger, `silent-${at}`))
    for (const user of users)
      for (let count = 0; count < UPDATES; count += 1) {
        const creates = Array.from({ length: CREATES }, () => proposal(user))
        await ledger.done(user, WAIT, commandsOf(user, ...creates))
      }
    const held = async (): Promise<number> => {
      const { heapUsed, external } = await heldMemory(ledger.service.process.pid, probe)
      return (heapUsed + external) / MIB
    }
    const before = await held()
    const silent: StreamClient[] = []
    let most = 0
    for (const user of users) {
      const opened = Array.from({ length: SOCKETS }, () => openSilent(ledger, user))
      silent.push(...(await Promise.all(opened)))
      await ledger.done(ledger.bob, WAIT, commandsOf(ledger.bob, proposal(ledger.bob)))
      most = Math.max(most, await held())
    }
    const { peak } = await heldMemory(ledger.service.process.pid, probe)
    t.diagnostic(
      `${before.toFixed(0)} MiB held before, ${most.toFixed(0)} at most; resident at most ${(peak / MIB).toFixed(0)}`,
    )
    assert.ok(most - before < MOST_MIB)
    assert.ok(peak < MOST_RESIDENT_MIB * MIB)
    for (const { socket } of silent) socket.terminate()
  })
}
