// How operations are asked properly where drawn values that make sense one by one are not enough:
// members that belong together.
import type { Dice } from '../drive/dice.ts'
import type { CommandMaker } from './commands.ts'
import type { Holders } from './holders.ts'
import type { Memory } from './memory.ts'
import { LEDGER_RECIPES } from './recipes-ledger.ts'
import { WALLET_RECIPES } from './recipes-wallet.ts'

/** Ingredients of a recipe. */
export interface Kitchen {
  readonly memory: Memory
  readonly dice: Dice
  readonly commands: CommandMaker
  readonly holders: Holders
  /** Name of who asks, and a party of theirs. */
  readonly caller: string
  readonly party: string
  readonly synchronizer: string
  /** Address of a key set. */
  readonly keysUrl: string
}

/** Parts of a request; what is absent is as drawn. */
export interface Dish {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Undefined where something that it needs has not been seen yet. */
export type Recipe = (kitchen: Kitchen) => Dish | undefined

/** Recipes by the target's name. */
export const RECIPES: ReadonlyMap<string, Recipe> = new Map([
  ...Object.entries(LEDGER_RECIPES),
  ...Object.entries(WALLET_RECIPES),
])
