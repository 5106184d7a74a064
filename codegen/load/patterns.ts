// Patterns that are none: found here, where their place is known.
import { text } from '../values.ts'
import { LOSS } from './faults.ts'
import { reportFault } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/**
 * False, with a finding, for a pattern that is not a regular expression of ECMA-262, neither with
 * the u flag nor without it: it checks nothing.
 */
export function isPattern(resolver: Resolver, at: Located): boolean {
  const pattern = text(at.value)
  if (pattern === undefined || compiles(pattern, 'u') || compiles(pattern, '')) return true
  const message = `'${pattern}' is not a regular expression`
  reportFault(resolver, at, 'bad-pattern', message, LOSS.rule)
  return resolver.isStrict
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source !== ''
  } catch {
    return false
  }
}
