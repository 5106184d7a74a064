// The clock of a development service: shown, and moved where it is simulated. docs/ledger-rules.md,
// "Time"
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import type { Context } from '../reply.ts'
import { LAST_MICROS, LONGEST_TERM_MICROS } from '../../engine/durations.ts'
import { timeOf, timeText } from '../../participant/time.ts'
import { answer, badRequest, PlainError, refusalReply } from '../../economy/errors.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import type { LedgerClock } from '../../economy/network/ledger-time.ts'

/** Deadlines are some terms ahead, one after the other, and have to be written, too. */
const LAST_SHOWN_MICROS = LAST_MICROS - 10n * LONGEST_TERM_MICROS

/** Handlers of the clock, which of several nodes the first one's operator moves. */
export function clockHandlers(
  clock: LedgerClock,
  { key }: Pick<NodeIdentity, 'key'>,
): Pick<Handlers<Context>, 'getClock' | 'setClock'> {
  const show = () => ({ now: timeText(clock.nowMicros()), simulated: 'moveTo' in clock })
  return {
    getClock: () => ({ status: 200, body: show() }),
    setClock: ({ body }) => {
      if (key !== '')
        return refusalReply(new PlainError(403, 'The clock is moved at the first node.'))
      const wanted =
        'now' in body ? timeOf(body.now) : clock.nowMicros() + body.advance_microseconds
      return answer(moveClock(clock, wanted), show)
    },
  }
}

function moveClock(clock: LedgerClock, wanted: bigint | undefined): undefined | PlainError {
  if (!('moveTo' in clock))
    return badRequest('the clock is not simulated; start with clock: simulated')
  if (wanted === undefined || wanted > LAST_SHOWN_MICROS)
    return badRequest('the time is out of range')
  return clock.moveTo(wanted) ? undefined : badRequest('time does not go back')
}
