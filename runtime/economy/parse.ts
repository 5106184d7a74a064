// Values of requests that their document cannot check: above zero, in the future, storable. Refused
// before anything is looked up. docs/economy-rules.md, "Legacy offers" and "Traffic"
import { isContractId } from '../../generated/contract-codec.gen.ts'
import { LAST_MICROS } from '../engine/durations.ts'
import { parseDecimal } from '../engine/index.ts'
import { timeOf } from '../participant/time.ts'
import { badRequest } from './errors.ts'
import type { PlainError } from './errors.ts'
import type { ContractIdInput } from '../../generated/validator/types.gen.ts'

/** The decimal (x 10^10) that an amount says. */
export function payableAmount(text: string): bigint | PlainError {
  const amount = parseDecimal(text)
  if (amount === undefined)
    return badRequest(
      `amount ${text} is not a decimal with at most 28 digits before and 10 after the point`,
    )
  return amount > 0n ? amount : badRequest('amount must be positive')
}

/** Microseconds of a time that is still to come. */
export function futureTime(micros: bigint, now: bigint): bigint | PlainError {
  if (micros > LAST_MICROS) return badRequest('expires_at is beyond the year 9999')
  return micros > now ? micros : badRequest('expires_at must be in the future')
}

/** Microseconds since 1970 of an RFC 3339 text; 400 where it is none, or before 1970. */
export function instant(name: string, text: string): bigint | PlainError {
  const micros = timeOf(text)
  return micros === undefined || micros < 0n
    ? badRequest(`${name} is not a time since 1970 in RFC 3339`)
    : micros
}

/** The problem with texts that contracts cannot hold: NUL and lone surrogates. */
export function textProblem(...texts: readonly string[]): PlainError | undefined {
  const isStorable = texts.every((text) => text.isWellFormed() && !text.includes('\0'))
  return isStorable ? undefined : badRequest('a text has a NUL or a lone surrogate')
}

/** The id that a request names; '' where it cannot be one, which no contract has. */
export function contractIdOf(input: ContractIdInput): string {
  const id =
    typeof input === 'string'
      ? input
      : 'contract_id' in input
        ? input.contract_id
        : input.contractId
  return isContractId(id) ? id : ''
}
