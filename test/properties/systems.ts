// The systems that the property tests know by name.
import { openSystem } from './driver/open.ts'
import { faultOf } from './faults.ts'
import type { SystemFactory } from './system.ts'
import type { Twist } from './twin.ts'
import { openTwin } from './twin.ts'
import { TWISTS } from './twin-faults.ts'

/** The twin with at most one planted fault; throws for one that it cannot plant. */
const openFaultyTwin: SystemFactory = (options) => {
  const [id] = options.faults
  return openTwin(options, id === undefined ? {} : twistOf(faultOf(id).id))
}

/** By the name that `--store` takes. */
export const SYSTEMS: ReadonlyMap<string, SystemFactory> = new Map([
  ['memory', openSystem('memory')],
  ['sqlite', openSystem('sqlite')],
  ['postgres', openSystem('postgres')],
  ['twin', openFaultyTwin],
])

function twistOf(id: string): Twist {
  const twist = TWISTS.get(id)
  if (twist === undefined) throw new RangeError(`the twin cannot plant ${id}`)
  return twist
}
