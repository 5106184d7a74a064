// Short sequences about one user and one party, of the kind in which holes were found: somebody is
// given a little, and asks for more. They only say what is tried one after the other; what comes of
// it is the model's to say.
import { ADMIN_PLOTS } from './plots-admin.ts'
import { WALLET_PLOTS } from './plots-wallet.ts'
import type { Dice } from '../../drive/dice.ts'
import type { Scene } from './scene.ts'
import type { Turn } from './turns.ts'

export type Plot = (scene: Scene) => readonly Turn[]

/** All of them in an order of chance. */
export function shuffled(dice: Dice): readonly Plot[] {
  const all = [...WALLET_PLOTS, ...ADMIN_PLOTS]
  const order: Plot[] = []
  while (all.length > 0) order.push(...all.splice(dice.int(all.length), 1))
  return order
}
