// Says of what is wrong in a definition where it is.
import { MalformedArchive } from '../archive/message.ts'
import type { Reference } from '../program/types.ts'
import type { Nesting } from './nesting.ts'

class MalformedDefinition extends MalformedArchive {}

/** Reads within a definition, which a MalformedArchive then names. */
export function located<T>(
  nesting: Nesting,
  { module, name }: Pick<Reference, 'module' | 'name'>,
  work: () => T,
): T {
  try {
    return nesting.definition(work)
  } catch (problem) {
    if (!(problem instanceof MalformedArchive) || problem instanceof MalformedDefinition)
      throw problem
    throw new MalformedDefinition(`${module}:${name}: ${problem.message}`)
  }
}
