// What keeps the network going beside requests.
import type { Economy } from '../economy.ts'
import { rewardKeeper } from './reward-keeper.ts'
import type { ServiceTask } from './task.ts'

/** The tasks of the network's own parties and of the validator's operator. */
export function networkTasks(economy: Economy): readonly ServiceTask[] {
  return [rewardKeeper].map((keeper) => keeper(economy))
}
