// What was signed for a party before it moved, in the hands of somebody else: it brings back no
// keys, and no node shows what it does not host.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import type { Store } from '../../runtime/store/store.ts'
import { EXTERNAL, rawKey, signHex } from '../external/kit.ts'
import {
  base64,
  delegationTransaction,
  hostingTransaction,
  keyMappingTransaction,
  transactionHashOf,
} from '../support/topology-reference.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import { byOperator, participantOf } from './kit.ts'
import {
  ALLOCATE,
  executed,
  known,
  letRead,
  newOutsider,
  pingOf,
  signedHosting,
  updatesAt,
} from './outside-party.ts'

const ADMIN = 'participant_admin'

describe('topology that a party signed before', () => {
  let nodes: LocalNodes
  let [home, next]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['home', 'next'])
    ;[home, next] = nodes.all
  })
  after(() => nodes.close())

  test('handed in by the operator lets it read the party, wherever it lived before', async () => {
    assert.ok(home !== undefined && next !== undefined)
    const own = newOutsider('steady')
    const { request } = await signedHosting(own, [home, next], 1)
    for (const node of [home, next]) await node.done(ADMIN, ALLOCATE, request)
    const [holder] = own.holders
    assert.ok(holder !== undefined)
    const alone = hostingTransaction({
      party: own.party,
      threshold: 1,
      hosts: [[await participantOf(home), 2]],
      serial: 2,
    })
    const transactions = [
      delegationTransaction(holder.fingerprint, holder),
      alone,
      keyMappingTransaction(own.party, 1, [holder]),
    ]
    await byOperator(home).done('operator', `POST ${EXTERNAL}/topology/submit`, {
      public_key: rawKey(holder),
      signed_topology_txs: transactions.map((transaction) => ({
        topology_tx: base64(transaction),
        signed_hash: signHex(holder, transactionHashOf(transaction)),
      })),
    })
    assert.deepEqual(await known(next, own.party), [false])
  })

  test('may come as often as it likes: moves alone are not remembered one by one', async () => {
    assert.ok(home !== undefined && next !== undefined)
    const own = newOutsider('restless')
    const sizes: number[] = []
    for (let serial = 1; serial <= 8; serial += 1) {
      const node = serial % 2 === 0 ? next : home
      await node.done(ADMIN, ALLOCATE, (await signedHosting(own, [node], serial)).request)
      const hosting = await nodes.store.contracts.fact('party-hosting', own.party)
      sizes.push(hosting?.body.length ?? 0)
    }
    assert.deepEqual(await known(next, own.party), [true])
    assert.equal(sizes[7], sizes[3])
  })

  test('shows nothing at a node that fails before it hosts the party', async (context) => {
    const kept = createMemoryStore()
    let isDown = false
    const commit: Store['contracts']['commit'] = (asked) =>
      isDown && asked.reads.facts.some(({ kind }) => kind === 'party-hosting')
        ? Promise.reject(new Error('the store is gone'))
        : kept.contracts.commit(asked)
    const given = { ...kept, contracts: { ...kept.contracts, commit } }
    const failing = await openNodes(['home', 'next'], { given })
    context.after(async () => {
      await failing.close()
      await kept.close()
    })
    const [first, second] = failing.all
    assert.ok(first !== undefined && second !== undefined)
    const own = newOutsider('early')
    await first.done(ADMIN, ALLOCATE, (await signedHosting(own, [first], 1)).request)
    await letRead(first, own.party)
    await executed(first, own, [pingOf(own)])

    isDown = true
    const { request } = await signedHosting(own, [first, second], 2)
    assert.equal((await second.ask(ADMIN, ALLOCATE, request)).status, 500)
    assert.deepEqual(await updatesAt(second, own.party), [])
    isDown = false
    await second.done(ADMIN, ALLOCATE, request)
    assert.deepEqual(await updatesAt(second, own.party), [])
    assert.equal((await updatesAt(first, own.party)).length, 1)
  })
})
