// The packages of one of several nodes: what was uploaded to another node is unknown here. The
// store keeps each payload once; which packages a node has, and which of them it has vetted, is a
// fact of the node. docs/decisions/0032-nodes.md
import { z } from 'zod'
import type { Engine } from '../../engine/index.ts'
import type { OtherNode } from '../../participant/packages/vetting.ts'
import { storedForm, whole } from '../../store/stored-form.ts'
import type { PackageRecord, PackageStore, PackageUpload, Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { knownNodes } from './nodes.ts'

const KIND = 'node-packages'

const form = z.object({
  /** One more with each change of what is vetted. */
  version: whole,
  /** Whether a package of the node is vetted, by its id. */
  vetted: z.record(z.string(), z.boolean()),
})

type Written = z.output<typeof form>

const stored = storedForm(form)

interface NodePackagesInput {
  /** The store of all nodes. */
  readonly store: Pick<Store, 'contracts' | 'packages'>
  readonly engine: Pick<Engine, 'recordFacts'>
  /** The node's key; '' is the first one. */
  readonly key: string
}

/**
 * The node's own where it is one of several, else all. Called before a node that comes is written
 * down.
 *
 * @param store of all nodes
 */
export async function packagesOf(
  store: NodePackagesInput['store'],
  { engine, node: { key } }: Pick<Economy, 'engine' | 'node'>,
  isOneOfSeveral: boolean,
): Promise<PackageStore> {
  if (!isOneOfSeveral && (await knownNodes(store)).length === 0) return store.packages
  const input = { store, engine, key }
  await begin(input)
  return nodePackages(input)
}

/** The packages that the node with this key has, of those that the ledger's store keeps. */
function nodePackages(input: NodePackagesInput): PackageStore {
  const { packages, contracts } = input.store
  const own = async (): Promise<Written> => read((await contracts.fact(KIND, input.key))?.body)
  const among = async (records: Promise<readonly PackageRecord[]>) =>
    asOwn(await own(), await records)
  return {
    list: async () => {
      const { vetted } = await own()
      return (await packages.list()).filter((id) => vetted[id] !== undefined)
    },
    get: (ids) => among(packages.get(ids)),
    named: (names) => among(packages.named(names)),
    payloadStream: async (id) =>
      (await own()).vetted[id] === undefined ? undefined : packages.payloadStream(id),
    vettingVersion: async () => (await own()).version,
    upload: async (uploads, vet, expectedVetting) => {
      const { version, vetted } = await own()
      const there = new Set([...Object.keys(vetted), ...uploads.map(({ packageId }) => packageId)])
      if (!vet.every((id) => there.has(id))) return 'missing'
      if (vet.length > 0 && version !== expectedVetting) return 'stale'
      // Nobody sees a payload before a node says that it has it.
      await packages.upload(uploads, [], 0n)
      return publish(input, uploads, vet, expectedVetting)
    },
  }
}

/** All nodes with their packages; none if the ledger never had more than one. */
export async function nodesWithPackages(input: Omit<NodePackagesInput, 'key'>) {
  return (await knownNodes(input.store)).map(({ key, participantUid }) => ({
    key,
    participantUid,
    packages: nodePackages({ ...input, key }),
  }))
}

/** The other nodes with their packages; none if the ledger never had more than one. */
export async function otherNodes(input: NodePackagesInput): Promise<readonly OtherNode[]> {
  return (await nodesWithPackages(input)).filter(({ key }) => key !== input.key)
}

/**
 * Writes down what the nodes have, where that was never done: packages from before there were
 * several nodes are the first one's, and those that all nodes shared stay everyone's.
 */
async function begin({ store, engine }: NodePackagesInput): Promise<void> {
  const { packages, contracts } = store
  if ((await contracts.fact(KIND, '')) !== undefined) return
  const records = await packages.get(await packages.list())
  const body = stored.write({
    version: await packages.vettingVersion(),
    vetted: Object.fromEntries(records.map(({ packageId, vetted }) => [packageId, vetted])),
  })
  const keys = new Set(['', ...(await knownNodes(store)).map(({ key }) => key)])
  await engine.recordFacts([{ kind: KIND, key: '' }], ({ facts }) =>
    facts.get(KIND)?.has('') === true ? [] : Array.from(keys, (key) => ({ kind: KIND, key, body })),
  )
}

async function publish(
  { engine, key }: NodePackagesInput,
  uploads: readonly PackageUpload[],
  vet: readonly string[],
  expectedVetting: bigint,
): Promise<'stored' | 'stale'> {
  let outcome: 'stored' | 'stale' = 'stored'
  await engine.recordFacts([{ kind: KIND, key }], ({ facts }) => {
    const before = read(facts.get(KIND)?.get(key))
    outcome = vet.length > 0 && before.version !== expectedVetting ? 'stale' : 'stored'
    if (outcome === 'stale') return []
    return [{ kind: KIND, key, body: stored.write(withPackages(before, uploads, vet)) }]
  })
  return outcome
}

function withPackages(
  { version, vetted }: Written,
  uploads: readonly PackageUpload[],
  vet: readonly string[],
): Written {
  const isChange = vet.some((id) => vetted[id] !== true)
  return {
    version: version + (isChange ? 1n : 0n),
    vetted: {
      ...Object.fromEntries(uploads.map(({ packageId }) => [packageId, false])),
      ...vetted,
      ...Object.fromEntries(vet.map((id) => [id, true])),
    },
  }
}

/** A node that came after the others shared their packages begins with none. */
function read(body: string | undefined): Written {
  return body === undefined ? { version: 0n, vetted: {} } : stored.read(body)
}

function asOwn({ vetted }: Written, records: readonly PackageRecord[]): readonly PackageRecord[] {
  return records.flatMap((record) => {
    const isVetted = vetted[record.packageId]
    return isVetted === undefined ? [] : [{ ...record, vetted: isVetted }]
  })
}
