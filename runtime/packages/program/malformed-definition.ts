// What is wrong with a package, and in which of its definitions.
import { MalformedArchive } from '../archive/message.ts'

/** Module and name of a definition. */
export interface Where {
  readonly module: string
  readonly name: string
}

export class MalformedDefinition extends MalformedArchive {
  constructor({ module, name }: Where, problem: string) {
    super(`${module}:${name}: ${problem}`)
  }
}

/** A rule of the language that a definition breaks. */
export class BrokenRule extends MalformedDefinition {
  constructor(where: Where, rule: string, problem: string) {
    super(where, `${problem} (rule ${rule})`)
  }
}

/** Works within a definition, which a MalformedArchive then names. */
export function located<T>(where: Where, work: () => T): T {
  try {
    return work()
  } catch (problem) {
    if (!(problem instanceof MalformedArchive) || problem instanceof MalformedDefinition)
      throw problem
    throw new MalformedDefinition(where, problem.message)
  }
}
