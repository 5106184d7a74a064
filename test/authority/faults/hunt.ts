// Looks for planted faults, each in a process of its own: `node test/authority/faults/hunt.ts
// [--seed N] [--steps N] [--shrinks N] [--search] [--fault ID]…` prints the drafts that find each,
// which make its recipe.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tempDir } from '../../support/temp-dir.ts'
import { openKeys } from '../driver/keys.ts'
import { planted } from './edit.ts'
import { KEEPING } from './kept.ts'
import { FAULTS } from './list.ts'
import type { Fault } from './list.ts'

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url))
const PLANT = new URL('../plant.ts', import.meta.url).href
const AT_ONCE = 2

interface Found {
  readonly steps: number
  readonly drafts: readonly number[]
  readonly text: string
}

interface Search {
  readonly seed: string
  readonly steps: string
  readonly shrinks: string
}

/** Plays in a process of its own, on the fault's store and nodes, with edits in the product. */
async function run(
  { store, nodes = 1, replay = false }: Fault,
  edits: Fault['edits'],
  args: readonly string[],
  keys: string,
): Promise<Found | undefined> {
  const place = ['--store', replay ? 'sqlite' : (store ?? 'memory'), '--nodes', String(nodes)]
  const all = [...place, ...(replay ? ['--replay'] : []), ...args]
  const env = { ...process.env, PLANT: JSON.stringify(planted(edits)), AUTHORITY_KEYS: keys }
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, ['--import', PLANT, RUN, '--json', ...all], {
    env,
    stdio: [...stdio],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (output.trim() === '') throw new Error(errors.slice(0, 2_000))
  return JSON.parse(output).found ?? undefined
}

/** Finds the fault by its recipe, else by a search. Throws where it cannot be planted. */
async function hunt(fault: Fault, search: Search, keys: string): Promise<Found | undefined> {
  const { edits, recipe, replay, seed = search.seed } = fault
  const byRecipe = recipe && (await run(fault, edits, ['--drafts', recipe.join()], keys))
  // A move of the replay is some hundred requests.
  const [length, steps] = replay === true ? ['30', '120'] : ['200', search.steps]
  const options = { ...search, seed: String(seed), length, steps, matrix: length }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  return byRecipe ?? run(fault, edits, args, keys)
}

/** Hunts for all of them, two at a time. */
async function huntAll(
  faults: readonly Fault[],
  search: Search,
  onHunted: (fault: Fault, found: Found | undefined, ms: number) => void,
  keys: string,
): Promise<void> {
  const left = [...faults]
  const work = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const began = performance.now()
      const found = await hunt(fault, search, keys)
      onHunted(fault, found, Math.round(performance.now() - began))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
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
    const search = { seed, steps: '2000', shrinks: '0' }
    await huntAll(
      faults,
      search,
      (fault, found, ms) => {
        say(`${fault.id}: ${found === undefined ? 'not found' : `step ${found.steps}`}, ${ms} ms`)
        if (found === undefined) missing.push(`${fault.id}: ${fault.what}`)
        else hunted.push([fault, found])
      },
      keys,
    )
    const places = Map.groupBy(
      hunted,
      ([{ store, nodes, replay }]) => `${store} ${nodes} ${replay}`,
    )
    for (const same of places.values()) {
      const [[fault] = assert.fail()] = same
      const episodes = new Set(same.map(([, { drafts }]) => drafts.join()))
      // Episodes of one seed begin alike: the longest plays them all.
      const longest = [...episodes].filter(
        (one) => ![...episodes].some((other) => other.startsWith(`${one},`)),
      )
      const args = longest.flatMap((drafts) => ['--drafts', drafts])
      assert.equal(await run(fault, [], args, keys), undefined, 'found where nothing is planted')
    }
  })
  assert.deepEqual(missing, [])
}

/** Calls with a file of issuers' keys that is gone afterwards. */
async function withKeys(
  faults: readonly Fault[],
  use: (file: string) => Promise<void>,
): Promise<void> {
  const folder = await tempDir()
  const file = join(folder.path, 'keys.json')
  const nodes = Math.max(...faults.map((fault) => fault.nodes ?? 1))
  try {
    await (await openKeys(file, nodes)).close()
    await use(file)
  } finally {
    await folder.remove()
  }
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
  const { fault: ids, search: isAnew, ...search } = values
  const chosen = [...FAULTS, ...KEEPING].filter(({ id }) => ids.length === 0 || ids.includes(id))
  const faults = isAnew ? chosen.map(({ recipe: _, ...fault }) => fault) : chosen
  await withKeys(faults, (keys) =>
    huntAll(
      faults,
      search,
      ({ id }, found, ms) => {
        console.log(
          `${id}: ${found === undefined ? 'not found' : `step ${found.steps}, recipe ${found.drafts.join()}`}, ${ms} ms`,
        )
        if (found !== undefined) console.log(found.text)
      },
      keys,
    ),
  )
}

if (import.meta.main) await main()
