// A contract of no meaning, by which a client shows that a party can act and another one sees it.
import { Ping } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'

export const ping = defineTemplate(Ping, {
  signatories: ({ initiator }) => [initiator],
  observers: ({ responder }) => [responder],
})

/** The responder ends the ping. */
export const pingRespond = choice(ping, Ping.choices.Respond, {
  controllers: ({ responder }) => [responder],
})
