// Contracts as they stood at an offset: all, those of parties, and where each was.
import assert from 'node:assert/strict'
import {
  addContracts,
  aContract,
  append,
  archive,
  createdAt,
  OTHER,
  OTHER_ID,
  TEMPLATE,
  updateAt,
  walkSnapshot,
} from './ledger-kit.ts'
import { templateOf } from '../../store/rules.ts'
import type { Check, CheckContext } from './check.ts'
import type { ContractRecord } from '../../store/store.ts'

/** Filters of snapshots; an empty list asks for all. */
const QUERIES: readonly { readonly parties: string[]; readonly templates: string[] }[] = [
  { parties: [], templates: [] },
  { parties: ['ann'], templates: [] },
  { parties: ['bob', 'dea', 'bob'], templates: ['package:M:T1', 'package:M:T2'] },
  { parties: ['nobody'], templates: [] },
  { parties: [], templates: ['package:M:T0'] },
]

export const snapshotChecks: readonly Check[] = [
  {
    name: 'a snapshot has what was active right after its offset, whatever happened since',
    run: atOffsets,
  },
  {
    name: 'a snapshot of parties has the contracts that one of them signed or observes, at every offset',
    run: ofParties,
  },
  {
    name: 'a snapshot says where each contract was at its offset: on a synchronizer, in flight, on another one',
    run: places,
  },
]

async function atOffsets({ store }: CheckContext): Promise<void> {
  await addContracts(
    store,
    aContract('a', { key1: 'ann' }),
    aContract('b', { key1: 'bob', templateId: OTHER_ID }),
  )
  await archive(store, 'a')
  await addContracts(
    store,
    aContract('c', { key1: 'bob' }),
    aContract('d', { key1: 'ann', templateId: 'third' }),
  )
  await append(store, (offset) => ({
    archives: [{ contractId: 'b', offset }],
    creates: [
      ...createdAt(offset, aContract('e', { key1: 'ann', templateId: OTHER_ID })),
      {
        contract: aContract('f'),
        createdOffset: offset,
        archivedOffset: offset,
        synchronizerId: 's',
      },
    ],
  }))
  const cases = [
    [0n, ''],
    [1n, 'ab'],
    [2n, 'b'],
    [3n, 'bcd'],
    [4n, 'cde'],
    [99n, 'cde'],
  ] as const
  for (const [offset, ids] of cases) {
    for (const limit of [1, 2, 9])
      assert.deepEqual(await walkSnapshot(store, offset, { limit }), [...ids])
  }
  const templates = [OTHER, TEMPLATE, 'nobody', OTHER]
  assert.deepEqual(await walkSnapshot(store, 1n, { templates, limit: 1 }), ['a', 'b'])
  assert.deepEqual(await walkSnapshot(store, 4n, { templates, limit: 1 }), ['c', 'e'])
  assert.deepEqual(await walkSnapshot(store, 4n, { templates: [OTHER] }), ['e'])
  const page = await store.contracts.snapshot({
    offset: 4n,
    templates: [],
    parties: [],
    after: 0n,
    limit: 9,
  })
  assert.deepEqual(
    page.map(({ createdOffset }) => createdOffset),
    [3n, 3n, 4n],
  )
}

/**
 * A ledger of 40 updates in which contracts live for one update or for many, at each of its
 * offsets.
 */
async function ofParties({ store }: CheckContext): Promise<void> {
  const people = ['ann', 'bob', 'cem', 'dea']
  const lives: { readonly record: ContractRecord; readonly from: bigint; until: bigint }[] = []
  for (let offset = 1n; offset <= 40n; offset += 1n) {
    const turn = Number(offset)
    const gone = lives.filter(
      ({ until }, index) => until === 0n && (index * 31 + turn * 17) % 11 === 0,
    )
    const made = [0, 1].map((number) =>
      aContract(`c${turn}-${number}`, {
        templateId: `ab:M:T${(turn + number) % 3}`,
        signatories: [people[(turn * 7) % 4] ?? ''],
        observers:
          turn % 5 === 0 ? [] : [people[(turn * 7) % 4] ?? '', people[(turn + number) % 4] ?? ''],
      }),
    )
    await append(store, () => ({
      archives: gone.map(({ record: { contractId } }) => ({ contractId, offset })),
      creates: createdAt(offset, ...made),
    }))
    for (const life of gone) life.until = offset
    lives.push(...made.map((record) => ({ record, from: offset, until: 0n })))
  }
  for (let offset = 0n; offset <= 41n; offset += 1n) {
    for (const { parties, templates } of QUERIES) {
      const wanted = lives.filter(
        ({ record, from, until }) =>
          from <= offset &&
          (until === 0n || until > offset) &&
          (parties.length === 0 ||
            [...record.signatories, ...record.observers].some((party) =>
              parties.includes(party),
            )) &&
          (templates.length === 0 || templates.includes(templateOf(record))),
      )
      const limit = offset % 2n === 0n ? 100 : 4
      assert.deepEqual(
        await walkSnapshot(store, offset, { parties, templates, limit }),
        wanted.map(({ record }) => record.contractId),
        `${parties} ${templates} at ${offset}`,
      )
    }
  }
}

async function places({ store }: CheckContext): Promise<void> {
  const moved = (contractId: string, offset: bigint, synchronizerId: string) => ({
    assignments: [{ contractId, offset, synchronizerId }],
  })
  await addContracts(store, aContract('stays'), aContract('moves'))
  await append(store, (offset) => moved('moves', offset, ''))
  await append(store, (offset) => moved('moves', offset, 'second'))
  // One commit of three updates, as a batch makes them; the last one archives what the first one
  // made.
  await append(store, (offset) => ({
    updates: [0n, 1n, 2n].map((number) => updateAt(offset + number)),
    creates: createdAt(offset, aContract('brief')).map((made) => ({
      ...made,
      archivedOffset: offset + 2n,
    })),
    assignments: [
      { contractId: 'moves', offset, synchronizerId: '' },
      { contractId: 'brief', offset: offset + 1n, synchronizerId: '' },
      { contractId: 'moves', offset: offset + 2n, synchronizerId: 'third' },
    ],
  }))
  await archive(store, 'moves')
  const at = (offset: bigint) =>
    store.contracts.snapshot({ offset, templates: [], parties: [], after: 0n, limit: 9 })
  const seen = async (offset: bigint): Promise<string> =>
    (await at(offset))
      .map(({ contract, synchronizerId }) => `${contract.contractId}: ${synchronizerId}`)
      .join(', ')
  assert.deepEqual(await Promise.all([1n, 2n, 3n, 4n, 5n, 6n, 7n].map(seen)), [
    'stays: synchronizer, moves: synchronizer',
    'stays: synchronizer, moves: ',
    'stays: synchronizer, moves: second',
    'stays: synchronizer, moves: , brief: synchronizer',
    'stays: synchronizer, moves: , brief: ',
    'stays: synchronizer, moves: third',
    'stays: synchronizer',
  ])
  assert.deepEqual(
    (await store.contracts.byIds(['moves'])).map(({ synchronizerId }) => synchronizerId),
    ['third'],
  )
}
