// What commands say that draw values where the package for that is absent.
import { CommandError } from '../host/problem.ts'
import { EXIT } from './outcome.ts'

/** An optional peer: who only serves does without it. Throws CommandError where it is absent. */
export function requireFastCheck(command: string): void {
  try {
    import.meta.resolve('fast-check')
  } catch {
    throw new CommandError(
      `${command} needs the package fast-check: npm install --save-dev fast-check`,
      EXIT.usage,
    )
  }
}
