// The faults that the conformance runner has to find, planted before it was written
// (docs/decisions/0005-conformance.md).
//   startLibrary()                       as library.yaml says: a runner must find nothing,
//                                        and isUntouched() must hold after it
//   startLibrary({ fault: fault.name })  with that one fault: fault.check must be among
//                                        the checks that the runner reports
// A fault may show in several checks (a book without its id breaks response-body and every link):
// ask for its check, not for it alone. Start a new server for each run: most faults need state. A
// hook in faults/*.ts is all there is of a fault: the server is the same for all. By hand: `node
// server.ts --fault NAME`.
import { access } from './faults/access.ts'
import { contentTypes, headers, statuses } from './faults/answers.ts'
import { bodies } from './faults/bodies.ts'
import { crashes, slowness } from './faults/crashes.ts'
import type { Fault } from './faults/fault.ts'
import { accepted, headerless, refused } from './faults/input.ts'
import { allows, methods } from './faults/methods.ts'
import { ghosts, losses } from './faults/sequences.ts'

export { CHECKS } from './faults/fault.ts'
export type { CheckName, Fault } from './faults/fault.ts'

/** Every planted fault, by check. */
export const faults: readonly Fault[] = [
  ...crashes,
  ...statuses,
  ...contentTypes,
  ...headers,
  ...bodies,
  ...accepted,
  ...refused,
  ...headerless,
  ...methods,
  ...allows,
  ...ghosts,
  ...losses,
  ...access,
  ...slowness,
]

/** The fault of this name. Throws for an unknown one. */
export function findFault(name: string): Fault {
  const found = faults.find((fault) => fault.name === name)
  if (found === undefined)
    throw new Error(
      `there is no fault '${name}'; there are ${faults.map((fault) => fault.name).join(', ')}`,
    )
  return found
}
