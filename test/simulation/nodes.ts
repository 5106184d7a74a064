// At the end, over HTTP: each node shows its auditor the contracts of the parties that are there,
// and no others.
import { member } from '../../runtime/host/member.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { createHttpApp } from '../../runtime/http/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import { list } from '../interfaces/ledger-kit.ts'
import { nodeClient } from '../nodes/kit.ts'
import type { Server, SimulatedNetwork } from './network.ts'
import type { Setting } from './setting.ts'

const AUDITOR = 'auditor'
const SLICE = 5_000
/** A month's contracts are one long list, on a machine that is busy. */
const PATIENT = { requestTimeoutMs: 600_000 }

/** Lines on what a node shows too much or too little; none for a single node. */
export async function checkNodes(
  { servers, store, clock, homeOf }: SimulatedNetwork,
  setting: Pick<Setting, 'nodes'>,
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (setting.nodes === 1) return []
  const [{ economy }] = servers
  const { dso, sv } = economy.parties
  const all = await activeContracts(store)
  const found = await Promise.all(
    servers.map(async (server, node) => {
      const own = [...ids].filter(([name]) => homeOf(name) === node).map(([, id]) => id)
      const here = new Set(node === 0 ? [...own, dso, sv] : own)
      const expected = [...all].filter(([, seers]) => seers.some((seer) => here.has(seer)))
      return differences(node, new Set(expected.map(([id]) => id)), await shownBy(server, clock))
    }),
  )
  return found.flat()
}

function differences(
  node: number,
  expected: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): readonly string[] {
  const [extra, missing] = [shown.difference(expected), expected.difference(shown)]
  return [
    ...[...extra].map((id) => `node ${node + 1} shows ${id}, which none of its parties sees`),
    ...[...missing].map((id) => `node ${node + 1} does not show ${id}`),
  ]
}

/** Parties that see each existing contract, by the contract's id. */
async function activeContracts({
  contracts,
}: Store): Promise<ReadonlyMap<string, readonly string[]>> {
  const { offset } = await contracts.ledgerEnd()
  const found = new Map<string, readonly string[]>()
  for (let after = 0n, isMore = true; isMore;) {
    const query = { offset, templates: [], parties: [], after, limit: SLICE }
    const page = await contracts.snapshot(query)
    for (const { contract } of page)
      found.set(contract.contractId, [...contract.signatories, ...contract.observers])
    after = page.at(-1)?.sequence ?? after
    isMore = page.length === SLICE
  }
  return found
}

/** Ids of what a node lists to who may read as any party. */
async function shownBy(
  { services }: Server,
  clock: SimulatedNetwork['clock'],
): Promise<ReadonlySet<string>> {
  const { interfaces } = services
  const app = createHttpApp({ interfaces, log: silentLog, clock, limits: PATIENT })
  const { port } = await app.listen(0, '127.0.0.1')
  try {
    const { done } = nodeClient('node', `http://127.0.0.1:${port}`, (user) => user)
    const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }]
    const user = { id: AUDITOR, identityProviderId: '' }
    await done('participant_admin', 'POST /v2/users', { user, rights })
    const end = member(await done(AUDITOR, 'GET /v2/state/ledger-end'), 'offset')
    const listed = await done(AUDITOR, 'POST /v2/state/active-contracts', {
      activeAtOffset: end,
      eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: false },
    })
    return new Set(list(listed).map(contractIdOf))
  } finally {
    await app.drain(0)
  }
}

function contractIdOf(entry: unknown): string {
  const active = member(member(entry, 'contractEntry'), 'JsActiveContract')
  return String(member(member(active, 'createdEvent'), 'contractId'))
}
