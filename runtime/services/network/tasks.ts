// What keeps the network going beside requests.
import type { Economy } from '../economy.ts'
import { counterKeeper } from './counter-keeper.ts'
import { expiryKeeper } from './expiry-keeper.ts'
import { rewardKeeper } from './reward-keeper.ts'
import type { ServiceTask } from './task.ts'
import { trafficKeeper } from './traffic-keeper.ts'

/** The tasks of the network's own parties and of the validator's operator. */
export function networkTasks(economy: Economy): readonly ServiceTask[] {
  return [rewardKeeper, trafficKeeper, counterKeeper, expiryKeeper].map((keeper) => keeper(economy))
}
