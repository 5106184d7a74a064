// Looks for planted faults: `node test/authority/faults/hunt.ts [--seed N] [--steps N]
// [--shrinks N] [--search] [--fault ID]…` prints the drafts that find each, which make its recipe.
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { shortestOf, whole } from '../../drive/command.ts'
import { seedsOf } from '../../drive/dice.ts'
import { search } from '../../drive/search.ts'
import type { Found as FoundBy, SearchOptions } from '../../drive/search.ts'
import { withEdits } from '../../support/plant.ts'
import type { Keys } from '../driver/keys.ts'
import { KEEPING } from './kept.ts'
import { FAULTS } from './list.ts'
import type { Fault } from './list.ts'

type Found = FoundBy<number>
type Size = Pick<SearchOptions<number>, 'seed' | 'steps' | 'shrinks'>
type Playing = Omit<SearchOptions<number>, 'draw' | 'play'>

/** Plays on the fault's store and nodes, with edits in the product. */
function run(
  { store, nodes = 1, replay = false }: Fault,
  edits: Fault['edits'],
  keys: Keys,
  { matrixEvery, ...playing }: Playing & { readonly matrixEvery: number },
): Promise<Found | undefined> {
  return withEdits(edits, async () => {
    const { playWith, storageNamed } = await import('../play.ts')
    const storage = storageNamed(replay ? 'sqlite' : (store ?? 'memory'))
    const play = playWith({ storage, keys, nodes, replay, matrixEvery })
    return search({ ...playing, draw: seedsOf, play })
  })
}

/** Plays these drafts. */
function runGiven(
  fault: Fault,
  edits: Fault['edits'],
  keys: Keys,
  given: readonly (readonly number[])[],
): Promise<Found | undefined> {
  return run(fault, edits, keys, {
    given,
    seed: 0,
    steps: 0,
    length: 1,
    shrinks: 0,
    matrixEvery: 40,
  })
}

/** Finds the fault by its recipe, else by a search. Throws where it cannot be planted. */
async function hunt(fault: Fault, size: Size, keys: Keys): Promise<Found | undefined> {
  const { edits, recipe, replay, seed = size.seed } = fault
  const byRecipe = recipe && (await runGiven(fault, edits, keys, [recipe]))
  // A move of the replay is some hundred requests.
  const [length, steps] = replay === true ? [30, 120] : [200, size.steps]
  return byRecipe ?? run(fault, edits, keys, { ...size, seed, length, steps, matrixEvery: length })
}

/** Hunts for all of them, one after the other. */
async function huntAll(
  faults: readonly Fault[],
  size: Size,
  keys: Keys,
  onHunted: (fault: Fault, found: Found | undefined, ms: number) => void,
): Promise<void> {
  // The product as it is, for what a fault does not reach.
  await import('../play.ts')
  for (const fault of faults) {
    const began = performance.now()
    const found = await hunt(fault, size, keys)
    onHunted(fault, found, Math.round(performance.now() - began))
  }
}

/**
 * Fails where a fault is not found, and where what finds one finds something in the product as it
 * is, too.
 */
export async function assertFound(
  faults: readonly Fault[],
  seed: string,
  say: (line: string) => void,
): Promise<void> {
  const missing: string[] = []
  const hunted: (readonly [Fault, Found])[] = []
  await withKeys(faults, async (keys) => {
    const size = { seed: Number(seed), steps: 2_000, shrinks: 0 }
    await huntAll(faults, size, keys, (fault, found, ms) => {
      say(`${fault.id}: ${found === undefined ? 'not found' : `step ${found.steps}`}, ${ms} ms`)
      if (found === undefined) missing.push(`${fault.id}: ${fault.what}`)
      else hunted.push([fault, found])
    })
    const places = Map.groupBy(
      hunted,
      ([{ store, nodes, replay }]) => `${store} ${nodes} ${replay}`,
    )
    for (const same of places.values()) {
      const [[fault] = assert.fail()] = same
      const episodes = new Map(same.map(([, { drafts }]) => [drafts.join(), drafts]))
      // Episodes of one seed begin alike: the longest plays them all.
      const longest = [...episodes].filter(
        ([one]) => ![...episodes.keys()].some((other) => other.startsWith(`${one},`)),
      )
      const given = longest.map(([, drafts]) => drafts)
      const found = await runGiven(fault, [], keys, given)
      assert.equal(found, undefined, 'found where nothing is planted')
    }
  })
  assert.deepEqual(missing, [])
}

/** Calls with issuers' keys for as many nodes as the faults take. */
async function withKeys(
  faults: readonly Fault[],
  use: (keys: Keys) => Promise<void>,
): Promise<void> {
  const { openKeys } = await import('../driver/keys.ts')
  const keys = await openKeys(Math.max(...faults.map((fault) => fault.nodes ?? 1)))
  await use(keys).finally(() => keys.close())
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '14' },
      steps: { type: 'string', default: '2000' },
      shrinks: { type: 'string', default: '40' },
      search: { type: 'boolean', default: false },
      fault: { type: 'string', multiple: true, default: [] },
    },
  })
  const { fault: ids, search: isAnew } = values
  const size = {
    seed: whole('seed', values.seed),
    steps: whole('steps', values.steps),
    shrinks: whole('shrinks', values.shrinks),
  }
  const chosen = [...FAULTS, ...KEEPING].filter(({ id }) => ids.length === 0 || ids.includes(id))
  const faults = isAnew ? chosen.map(({ recipe: _, ...fault }) => fault) : chosen
  await withKeys(faults, (keys) =>
    huntAll(faults, size, keys, ({ id }, found, ms) => {
      const how = found && `step ${found.steps}, recipe ${found.drafts.join()}`
      console.log(`${id}: ${how ?? 'not found'}, ${ms} ms`)
      if (found !== undefined) console.log(shortestOf(found))
    }),
  )
}

if (import.meta.main) await main()
