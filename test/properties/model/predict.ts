// The model's one entry: what a command would do now. It writes nothing.
import { amountOf } from './arithmetic.ts'
import type { Action, PlainAction } from './actions.ts'
import { instruct, reclaim, selfTransfer, useInstruction } from './instructions.ts'
import { createOffer, useOffer } from './offers.ts'
import {
  buyTraffic,
  collect,
  endPreapproval,
  expireDust,
  preapprove,
  recordLiveness,
  renew,
  send,
  tap,
} from './payments.ts'
import type { Plan } from './plan.ts'
import { judge, refuse } from './plan.ts'
import { passRounds } from './rounds.ts'
import type { Economy } from './state.ts'

/** The change that the command makes, or every reason for which it may be refused. */
export function predict(economy: Economy, action: Action): Plan {
  switch (action.kind) {
    case 'tap':
      return tap(economy, action)
    case 'offer':
      return createOffer(economy, action)
    case 'instruct':
      return instruct(economy, action)
    case 'send':
      return send(economy, action)
    case 'self-transfer':
      return selfTransfer(economy, action)
    case 'buy-traffic':
      return buyTraffic(economy, action)
    case 'preapprove':
      return preapprove(economy, action)
    case 'preapproval-renew':
      return renew(economy, action)
    case 'collect':
      return collect(economy, action)
    case 'liveness':
      return recordLiveness(economy, action)
    case 'onboard':
      return judge([], () => ({ consume: [], create: [] }))
    case 'rounds':
      return { ok: true, change: { consume: [], create: [], also: passRounds } }
    case 'price':
      return setPrice(action.price)
    default:
      return plain(economy, action)
  }
}

function plain(economy: Economy, action: PlainAction): Plan {
  const { kind } = action
  if (kind === 'reclaim') return reclaim(economy, action)
  if (kind === 'dust-expire') return expireDust(economy, action)
  if (kind.startsWith('preapproval-')) return endPreapproval(economy, action)
  return kind.startsWith('instruction-')
    ? useInstruction(economy, action)
    : useOffer(economy, action)
}

function setPrice(text: string): Plan {
  const price = amountOf(text)
  if (price === undefined || price <= 0n) return refuse('invalid', 'requirement')
  return {
    ok: true,
    change: {
      consume: [],
      create: [],
      also: (economy) => {
        economy.price = price
      },
    },
  }
}
