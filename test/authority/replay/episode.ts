// One episode: something happens, then the adversary sends everything again, everywhere.
import { diceOf } from '../../drive/dice.ts'
import type { Outcome } from '../../drive/search.ts'
import { begin, move } from './moves.ts'
import { closeScene, openScene } from './scene.ts'
import type { SceneOptions } from './scene.ts'
import { tryAll } from './tries.ts'

export interface ReplayOptions extends SceneOptions {
  /** One number a move. */
  readonly drafts: readonly number[]
}

/** Plays the drafts until something is accepted that should not. */
export async function playReplay({ drafts, ...options }: ReplayOptions): Promise<Outcome> {
  const counts = new Map<string, number>()
  const trail: string[] = []
  const count = (name: string, by = 1): void => void counts.set(name, (counts.get(name) ?? 0) + by)
  let tries = 0
  const scene = await openScene(options, diceOf(drafts[0] ?? 0))
  try {
    for (const ledger of scene.ledgers) await begin(scene, ledger)
    for (const [step, draft] of drafts.entries()) {
      scene.dice = diceOf(draft)
      const { name, what } = await move(scene)
      trail.push(what)
      count(what.endsWith(', refused') ? `${name} refused` : name)
      const tried = await tryAll(scene)
      tries += tried.tries
      count('tries', tried.tries)
      const { violations } = tried
      if (violations.length > 0) {
        const rules = violations.map(({ rule }) => rule)
        const lines = violations.map(({ rule, detail }) => `${rule}: ${detail}`)
        return { steps: step + 1, counts, trail, failure: { step, rules, lines } }
      }
    }
    return { steps: drafts.length, counts, trail, failure: undefined }
  } finally {
    await closeScene(scene)
  }
}
