// What is wrong with a package, and in which of its definitions.
import { MalformedArchive } from '../archive/message.ts'

/** Module and name of a definition; without a name, the module itself. */
export interface Where {
  readonly module: string
  readonly name: string
}

export class MalformedDefinition extends MalformedArchive {
  constructor({ module, name }: Where, problem: string) {
    super(`${name === '' ? module : `${module}:${name}`}: ${problem}`)
  }
}

/** A rule of the language that a definition breaks. */
export class BrokenRule extends MalformedDefinition {
  constructor(where: Where, rule: string, problem: string) {
    super(where, `${problem} (rule ${rule})`)
  }
}

export const TOO_DEEP = 'It is nested too deeply'

/**
 * Works within a definition, which a MalformedArchive then names. Bounds keep recursion far from
 * the stack's end; where it is reached all the same, the definition is nested too deeply, too.
 */
export function located<T>(where: Where, work: () => T): T {
  try {
    return work()
  } catch (problem) {
    if (problem instanceof RangeError) throw new MalformedDefinition(where, TOO_DEEP)
    if (!(problem instanceof MalformedArchive) || problem instanceof MalformedDefinition)
      throw problem
    throw new MalformedDefinition(where, problem.message)
  }
}
