// A store with something in each of its tables, and with the values that databases like to change:
// the largest numbers, bytes, texts beyond ASCII, nothing at all. The same calls on any storage, so
// that all hold the same rows.
import { createHash } from 'node:crypto'
import type { CommitWrites, ContractState, Store } from '../../runtime/index.ts'

const INT64_MAX = 2n ** 63n - 1n
const RANKS = [0n, 10n ** 38n - 1n, 123_456_789_012_345_678_901n]
const UPDATES = 40
const PAYLOAD = Buffer.from(
  Array.from({ length: 1_100_000 }, (_none, index) => (index * 7 + (index >> 8)) % 256),
)

/** The total whose sum has more digits than any amount. */
export const LARGE_TOTAL = { name: 'supply', account: '' }
export const LARGE_SUM = 10n ** 41n + 7n
export const PACKAGE_ID = createHash('sha256').update(PAYLOAD).digest('hex')

/** Fills an empty store. */
export async function fillStore({
  identityProviders,
  users,
  parties,
  wallets,
  notes,
  packages,
  contracts,
  updates,
}: Store): Promise<void> {
  await identityProviders.create(
    { id: 'idp', isDeactivated: true, issuer: 'https://i/é', jwksUrl: 'https://k/', audience: '' },
    9,
  )
  const user = {
    primaryParty: 'ann::1',
    isDeactivated: true,
    primaryPartyAuthentication: false,
    identityProviderId: 'idp',
  }
  await users.create(
    { ...user, id: 'ann', annotations: { k: '😀\u2028\n"', lone: '\ud800', nul: '\0' } },
    [
      { kind: 'CanActAs', party: 'ann::1' },
      { kind: 'ParticipantAdmin', party: '' },
    ],
  )
  const party = {
    party: 'ann::1',
    isLocal: true,
    identityProviderId: 'idp',
    annotations: {},
    topology: '{"keys":[]}',
  }
  await parties.allocate(party, { userId: 'ann', maxRights: 9 })
  const fresh = { ...party, party: 'wallet::1', identityProviderId: '', topology: '' }
  await wallets.open({
    userId: 'ann',
    identityProviderId: 'idp',
    createsUser: false,
    party: { fresh },
    grantsActAs: false,
    maxRights: 9,
  })
  await notes.write({ userId: 'ann', identityProviderId: 'idp', name: 'book' }, '', '{"é\n":"😀"}')
  const upload = {
    packageId: PACKAGE_ID,
    name: 'main',
    version: '1.0.0',
    size: PAYLOAD.length,
    summary: '{}',
  }
  await packages.upload([{ ...upload, readPayload: async () => PAYLOAD }], [PACKAGE_ID], 0n)
  for (let offset = 1n; offset <= UPDATES; offset += 1n) {
    await contracts.commit({
      reads: { contractIds: [], commandKeys: [], facts: [] },
      decide: () => ({ writes: writesAt(offset), result: undefined }),
    })
  }
  await updates.prune(3n)
}

function writesAt(offset: bigint): CommitWrites {
  const id = String(offset)
  return {
    updates: [
      {
        offset,
        updateId: `u${id}`,
        recordTime: offset * 1_000_000n,
        body: `{"text":"ü\u2028${'x'.repeat(300)}"}`,
        seenBy: ['ann::1', 'bob::2'],
      },
    ],
    creates: RANKS.map((rank, index) => contractOf(offset, `c${id}-${index}`, rank)),
    archives: offset > 1n ? [{ contractId: `c${offset - 1n}-0`, offset }] : [],
    assignments:
      offset > 1n ? [{ contractId: `c${offset - 1n}-1`, offset, synchronizerId: '' }] : [],
    commands: [{ key: `k${id}`, updateId: `u${id}`, offset, keptUntil: INT64_MAX }],
    totals: [
      { ...LARGE_TOTAL, amount: offset === 1n ? LARGE_SUM : 0n, count: 1n },
      { name: 'debt', account: 'ann::1', amount: -5n, count: 1n },
    ],
    accruals: [
      {
        ...LARGE_TOTAL,
        part: 'until',
        at: INT64_MAX,
        amount: LARGE_SUM,
        rate: -LARGE_SUM,
        count: 1n,
      },
    ],
    logs: [{ log: 'history', owner: 'ann::1', id, body: '{"a":"\\u0000"}', offset }],
    facts: [{ kind: 'Z', key: `${'é'.repeat(Number(offset))}`, body: '{}', prunedWith: offset }],
  }
}

function contractOf(createdOffset: bigint, contractId: string, rank: bigint): ContractState {
  const contract = {
    contractId,
    templateId: 'p:M:E',
    packageName: 'p',
    payload: '{"emoji":"😀"}',
    signatories: ['ann::1'],
    observers: [],
    createdAt: -1n,
    key1: 'ann::1',
    key2: '',
    key3: '',
    rank,
  }
  return { contract, createdOffset, archivedOffset: 0n, synchronizerId: 's' }
}
