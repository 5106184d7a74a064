// Random sequences of signed topologies, new ones and old ones again, against a model of what may
// follow: what the model refuses changes nothing, and the party's keys and hosts are always those
// of the newest topology that was taken. SEED repeats a run, SEQUENCES and STEPS set its size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withEdits } from '../support/plant.ts'
import { newStore, sized } from '../support/test-store.ts'
import { newHolder } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import { diceOf } from '../drive/dice.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode } from './in-process.ts'
import { known } from './outside-party.ts'
import {
  definitionOf,
  hostingOf,
  keysOf,
  ownedBy,
  rootsOf,
  signsAt,
  submitted,
} from './signed-topology.ts'
import { TopologyModel } from './topology-model.ts'
import type { Definition, Handed, Hosting, KeyMapping } from './topology-model.ts'

const NODES = ['home', 'next'] as const
const FOUNDERS = ['k0', 'k1', 'k2']
const OWNERS = [...FOUNDERS, 'k3']
const KEYS = ['f0', 'f1', 'f2', 'k0']
const HINTS = ['one', 'two']

interface Fault {
  readonly what: string
  readonly search: string
  readonly replacement: string
}

/** Faults in runtime/participant/succession.ts. */
const FAULTS: readonly Fault[] = [
  {
    what: 'a definition has no date',
    search: '[...roots, owners, keys].filter',
    replacement: '[...roots, keys].filter',
  },
  {
    what: 'a definition asks for as many owners as it says itself',
    search: 'tooFew(kind, definition.signers, known)',
    replacement: 'tooFew(kind, definition.signers, definition)',
  },
  {
    what: 'an owner is added unasked',
    search: '!known.owners.includes(owner))',
    replacement: 'owner === "")',
  },
  {
    what: 'keys of their own have no date',
    search: 'if (apart && keyMapping.serial !== mapping?.serial) return undefined',
    replacement: 'if (keyMapping.serial > 0) return undefined',
  },
  {
    what: 'a serial may be used again',
    search: 'return brought.content === inForce.content',
    replacement: 'return brought.content !== ""',
  },
]

const SEQUENCES = Number(process.env['SEQUENCES'] ?? sized(4, 2))
const STEPS = Number(process.env['STEPS'] ?? 40)
const GIVEN = process.env['SEED']

type Counts = Record<'kept' | 'refused' | 'taken', number>

for (const count of [1, 2])
  test(`${count} nodes take what the model takes, and nothing else`, async (context) => {
    const first = GIVEN === undefined ? Math.floor(Math.random() * 1e9) : Number(GIVEN)
    const counts = await play(openNodes, { count, first, sequences: SEQUENCES })
    context.diagnostic(`from SEED=${first}: ${JSON.stringify(counts)}`)
    assert.ok(counts.taken > SEQUENCES && counts.refused > SEQUENCES, JSON.stringify(counts))
  })

test('a planted fault is found', async () => {
  for (const { what, search, replacement } of FAULTS) {
    const edits = [{ file: 'runtime/participant/succession.ts', search, replacement }]
    const played = withEdits(edits, async () => {
      const faulty = await import('./in-process.ts')
      return play(faulty.openNodes, { count: 1, first: 1, sequences: 6 })
    })
    await assert.rejects(played, /SEED=\d+: the model/, what)
  }
})

interface Size {
  /** The number of nodes. */
  readonly count: number
  /** Seed of the first sequence. */
  readonly first: number
  readonly sequences: number
}

async function play(
  open: typeof openNodes,
  { count, first, sequences }: Size,
): Promise<Readonly<Counts>> {
  const nodes = await open(NODES.slice(0, count), { given: await newStore(), alone: count === 1 })
  const counts = { kept: 0, refused: 0, taken: 0 }
  try {
    for (let seed = first; seed < first + sequences; seed += 1)
      await sequence(nodes.all, seed, counts).catch((error: unknown) => {
        throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`)
      })
  } finally {
    await nodes.close()
  }
  return counts
}

interface Drawn {
  readonly definitions: Definition[]
  readonly hostings: Hosting[]
  readonly mappings: KeyMapping[]
}

async function sequence(nodes: readonly LocalNode[], seed: number, counts: Counts): Promise<void> {
  const dice = diceOf(seed)
  const holders = new Map([...OWNERS, ...KEYS].map((name) => [name, newHolder('EC_CURVE25519')]))
  const of = (names: readonly string[]) => names.map((name) => named(holders, name))
  const founders = of(FOUNDERS)
  const parties = HINTS.map((hint) => ownedBy(`${hint}-${seed}`, founders))
  const model = new TopologyModel(FOUNDERS)
  const drawn: Drawn = { definitions: [], hostings: [], mappings: [] }
  const names = nodes.map(({ name }) => name)
  const nodeOf = (name: string) => named(new Map(nodes.map((node) => [node.name, node])), name)

  for (let step = 0; step < STEPS; step += 1) {
    const handed = draw({ dice, model, drawn, parties, names })
    const { party } = handed.hosting
    const before = model.parties.get(party)
    const outcome = model.hand(handed)
    counts[outcome] += 1
    const { definition, hosting, mapping, roots, at } = handed
    const { keys, serial } = hosting
    const { status, text } = await submitted(
      nodeOf(at),
      rootsOf(of(roots)),
      definitionOf(party, {
        threshold: definition.threshold,
        owners: of(definition.owners),
        serial: definition.serial,
        by: of(definition.by),
      }),
      await hostingOf(party, {
        hosts: hosting.hosts.map(nodeOf),
        serial,
        ...(keys === undefined ? {} : { keys: of(keys) }),
        by: of(hosting.by),
      }),
      mapping === undefined
        ? []
        : keysOf(party, { keys: of(mapping.keys), serial: mapping.serial, by: of(mapping.by) }),
    )
    const facts = `the model, step ${step}: ${outcome}, but ${status}: ${text}\n${JSON.stringify({ handed, before, definition: model.definition })}`
    if (outcome === 'taken') assert.equal(status, 200, facts)
    if (outcome === 'refused') assert.equal(status, 400, facts)
    await hosts(nodes, model, { party, of, facts })
    if (outcome !== 'refused' || step % 4 === 0) await signs(nodes, model, { party, of, facts })
  }
}

interface Held {
  readonly party: string
  readonly of: (names: readonly string[]) => readonly Holder[]
  readonly facts: string
}

/** The party is hosted as the model says. */
async function hosts(
  nodes: readonly LocalNode[],
  { parties }: TopologyModel,
  { party, facts }: Held,
): Promise<void> {
  const inForce = parties.get(party)
  for (const node of nodes) {
    const isHost = inForce?.hosts.includes(node.name) === true
    assert.equal((await known(node, party)).includes(true), isHost, `${node.name} hosts; ${facts}`)
  }
}

/** The party signs as the model says. */
async function signs(
  nodes: readonly LocalNode[],
  { parties }: TopologyModel,
  { party, of, facts }: Held,
): Promise<void> {
  const inForce = parties.get(party)
  const host = nodes.find(({ name }) => inForce?.hosts.includes(name) === true)
  if (inForce === undefined || host === undefined) return
  const [key = ''] = inForce.keys
  assert.ok(await signsAt(host, party, of([key])), `${key} signs; ${facts}`)
  const other = KEYS.find((name) => !inForce.keys.includes(name)) ?? ''
  assert.ok(!(await signsAt(host, party, of([other]))), `${other} does not sign; ${facts}`)
}

interface Draw {
  readonly dice: ReturnType<typeof diceOf>
  readonly model: TopologyModel
  readonly drawn: Drawn
  readonly parties: readonly string[]
  readonly names: readonly string[]
}

function draw(input: Draw): Handed {
  const { dice, model, drawn, parties, names } = input
  const party = dice.pick(parties)
  const definition = drawDefinition(input)
  drawn.definitions.push(definition)
  const own = drawn.hostings.filter((one) => one.party === party)
  const isAgain = own.length > 0 && dice.chance(0.25)
  const hosting = isAgain ? dice.pick(own) : drawHosting(input, party, definition)
  drawn.hostings.push(hosting)
  const isApart = hosting.keys === undefined || dice.chance(0.03)
  const mapping = isApart ? drawMapping(input, party, definition) : undefined
  if (mapping !== undefined) drawn.mappings.push(mapping)
  const at = dice.chance(0.95) ? dice.pick(hosting.hosts) : dice.pick(names)
  const roots = new Set([
    ...definition.owners,
    ...(definition.serial > 1 ? (model.definition?.owners ?? []) : []),
  ])
  return { at, definition, hosting, mapping, roots: [...roots] }
}

function drawDefinition({ dice, model, drawn }: Draw): Definition {
  const { definition } = model
  const kind = dice.kind({ inForce: 5, next: 3, again: 2 })
  if (kind === 'inForce' && definition !== undefined) return definition
  if (kind === 'again' && drawn.definitions.length > 0) return dice.pick(drawn.definitions)
  const owners = definition === undefined ? FOUNDERS : some(dice, OWNERS)
  return {
    serial: serialAfter(dice, definition?.serial),
    threshold: dice.between(1, owners.length),
    owners,
    by: signers(dice, [...new Set([...owners, ...(definition?.owners ?? [])])]),
  }
}

function drawHosting({ dice, model, names }: Draw, party: string, { owners }: Definition): Hosting {
  const keys = dice.chance(0.65) ? some(dice, KEYS).slice(0, 2) : undefined
  return {
    party,
    serial: serialAfter(dice, model.parties.get(party)?.serial),
    hosts: some(dice, names),
    ...(keys === undefined ? {} : { keys }),
    by: [...new Set([...(keys ?? []), ...signers(dice, owners)])],
  }
}

function drawMapping(
  { dice, model, drawn }: Draw,
  party: string,
  { owners }: Definition,
): KeyMapping {
  const own = drawn.mappings.filter((one) => one.party === party)
  if (own.length > 0 && dice.chance(0.4)) return dice.pick(own)
  const inForce = model.parties.get(party)
  const isKept = inForce !== undefined && dice.chance(0.4)
  const keys = isKept ? inForce.keys : some(dice, KEYS).slice(0, 2)
  const serial = serialAfter(dice, inForce?.mapping?.serial)
  return { party, serial, keys, by: [...new Set([...keys, ...signers(dice, owners)])] }
}

/** Mostly the next one. */
function serialAfter(dice: Draw['dice'], serial = 0): number {
  return dice.chance(0.8) ? serial + 1 : dice.between(1, serial + 2)
}

/** Mostly all of them. */
function signers(dice: Draw['dice'], names: readonly string[]): readonly string[] {
  return dice.chance(0.5) ? names : some(dice, names)
}

/** One or more, in their order. */
function some(dice: Draw['dice'], names: readonly string[]): readonly string[] {
  const one = dice.pick(names)
  return names.filter((name) => name === one || dice.chance(0.5))
}

function named<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name)
  assert.ok(found !== undefined, name)
  return found
}
