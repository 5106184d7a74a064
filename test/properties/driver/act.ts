// Every command of the model as what a user, a service or the network would do.
import {
  acceptedTransferOfferAbort,
  acceptedTransferOfferExpire,
  acceptedTransferOfferWithdraw,
  coinExpire,
  coinPriceVote,
  coinTransferInstructionAccept,
  coinTransferInstructionReject,
  coinTransferInstructionUpdate,
  coinTransferInstructionWithdraw,
  dsoRulesUpdateCoinPriceVote,
  lockedCoin,
  lockedCoinExpireCoin,
  transferOfferAccept,
  transferOfferExpire,
  transferOfferReject,
  transferOfferWithdraw,
  transferPreapprovalCancel,
  transferPreapprovalExpire,
  validatorLicense,
  validatorLicenseRecordValidatorLivenessActivity,
} from '../../../runtime/contracts/index.ts'
import { parseDecimal } from '../../../runtime/engine/index.ts'
import {
  extraArgsOf,
  transferInstructionContext,
} from '../../../runtime/interfaces/registry/index.ts'
import type { InstructionChoice } from '../../../runtime/interfaces/registry/index.ts'
import { PlainError } from '../../../runtime/economy/errors.ts'
import { setUpAutomations } from '../../support/automations.ts'
import type { Action, PlainAction, PlainKind } from '../model/actions.ts'
import type { Answer } from './answers.ts'
import { DONE, handlerAnswer, refuse } from './answers.ts'
import type { Trouble } from './conflicts.ts'
import type { Network } from './network.ts'
import type { IdOf } from './pay.ts'
import {
  buyTraffic,
  collect,
  complete,
  instruct,
  offer,
  preapprove,
  renew,
  selfTransfer,
  send,
  tap,
} from './pay.ts'
import { reopen, submitAs } from './submit.ts'

export interface Acting {
  readonly idOf: IdOf
  readonly trouble: Trouble
  /** The model lets the command happen. */
  readonly isExpected: boolean
}

/** Does it; rejects with what is nobody's doing. */
export async function act(
  network: Network,
  action: Action,
  { idOf, trouble, isExpected }: Acting,
): Promise<Answer> {
  switch (action.kind) {
    case 'tap':
      return tap(network, action)
    case 'offer':
      return offer(network, action)
    case 'instruct':
      return instruct(network, action, idOf)
    case 'send':
      return send(network, action, idOf)
    case 'self-transfer':
      return selfTransfer(network, action, idOf)
    case 'buy-traffic':
      return buyTraffic(network, action, idOf, isExpected)
    case 'preapprove':
      return preapprove(network, action, idOf, isExpected)
    case 'preapproval-renew':
      return renew(network, action, idOf)
    case 'collect':
      return collect(network, action.actor)
    case 'liveness':
      return recordLiveness(network, action.actor)
    case 'onboard':
      return onboard(network, action.actor)
    case 'rounds':
      return passRounds(network, trouble)
    case 'price':
      return votePrice(network, action.price)
    case 'accepted-complete':
      return complete(network, action, idOf)
    default:
      return plain(network, action, idOf(action.id))
  }
}

async function onboard({ onboarding }: Network, name: string): Promise<Answer> {
  const done = await onboarding.onboardUser({ name, identityProviderId: '' })
  return done.ok ? DONE : refuse('invalid', done.message)
}

/** Far more than all due rounds take. */
const REST_MS = 120_000

/** Passes rounds until a run in which nobody was faster found nothing more to do. */
async function passRounds({ economy, treasury }: Network, trouble: Trouble): Promise<Answer> {
  for (let before = -1; before !== trouble.count;) {
    before = trouble.count
    const signal = AbortSignal.timeout(REST_MS)
    try {
      await (await setUpAutomations({ economy, treasury }, { names: ['rounds'], signal })).run()
    } catch (error) {
      if (trouble.count === before) throw error
    }
    if (signal.aborted) return refuse('no-round', 'the rounds do not come to rest')
  }
  return DONE
}

async function votePrice(network: Network, text: string): Promise<Answer> {
  const {
    economy: {
      engine,
      network: state,
      reader,
      parties: { sv },
    },
    clock: { now },
  } = network
  const coinPrice = parseDecimal(text)
  if (coinPrice === undefined) return refuse('invalid', text)
  const rules = await state.dsoRules()
  const [own] = await reader.active(coinPriceVote, { sv }, { order: 'created-desc', limit: 1 })
  const argument = { sv, coinPrice, optCoinPriceVoteCid: own?.id ?? null, now }
  const done = await engine.submit({
    actAs: [sv],
    userId: '',
    disclosedContracts: [rules.record],
    run: (tx) => tx.exercise(dsoRulesUpdateCoinPriceVote, rules.id, argument),
  })
  if (done.ok) return DONE
  return refuse(done.kind === 'contention' ? 'busy' : 'requirement', done.kind)
}

/** Records liveness in the unrecorded open round that opened first. */
async function recordLiveness(network: Network, actor: string): Promise<Answer> {
  const {
    economy: {
      network: state,
      reader,
      parties: { operator },
    },
    clock: { now },
    config,
  } = network
  const [licence] = await reader.active(validatorLicense, { validator: operator }, { limit: 1 })
  if (licence === undefined) return refuse('not-found', 'licence')
  const last = licence.payload.faucetState?.lastReceivedFor ?? -1n
  const open = (await state.openRounds()).filter(({ payload }) => payload.opensAt <= now)
  const left = open
    .filter(({ payload }) => payload.round > last)
    .toSorted((a, b) => Number(a.payload.opensAt - b.payload.opensAt))
  const [round] = actor === config.operator ? left : open
  if (round === undefined) return DONE
  return submitAs(network, [actor], {
    run: (tx) =>
      tx.exercise(validatorLicenseRecordValidatorLivenessActivity, licence.id, {
        openRoundCid: round.id,
        now,
      }),
  })
}

const REASON = 'Withdrawn'

async function plain(network: Network, { kind, actor }: PlainAction, cid: string): Promise<Answer> {
  const party = network.parties.idOf(actor)
  const by = (run: Parameters<typeof submitAs>[2]['run']) => submitAs(network, [actor], { run })
  switch (kind) {
    case 'offer-accept':
      return by((tx) => tx.exercise(transferOfferAccept, cid, {}))
    case 'offer-reject':
      return by((tx) => tx.exercise(transferOfferReject, cid, {}))
    case 'offer-withdraw':
      return by((tx) => tx.exercise(transferOfferWithdraw, cid, { reason: REASON }))
    case 'offer-expire':
      return by((tx) => tx.exercise(transferOfferExpire, cid, { actor: party }))
    case 'accepted-abort':
      return by((tx) => tx.exercise(acceptedTransferOfferAbort, cid, { reason: REASON }))
    case 'accepted-withdraw':
      return by((tx) => tx.exercise(acceptedTransferOfferWithdraw, cid, { reason: REASON }))
    case 'accepted-expire':
      return by((tx) => tx.exercise(acceptedTransferOfferExpire, cid, { actor: party }))
    case 'reclaim':
      return by((tx) => reopen(tx, cid))
    case 'preapproval-cancel':
      return by((tx) => tx.exercise(transferPreapprovalCancel, cid, { p: party }))
    case 'preapproval-expire':
      return by((tx) => tx.exercise(transferPreapprovalExpire, cid, {}))
    case 'dust-expire':
      return expireDust(network, actor, cid)
    default:
      return endInstruction(network, kind, actor, cid)
  }
}

async function expireDust(network: Network, actor: string, cid: string): Promise<Answer> {
  const {
    economy: { network: state, reader },
  } = network
  const round = await state.usableRound()
  if (round === undefined) return refuse('no-round', '')
  const isLocked = (await reader.get(lockedCoin, cid)) !== undefined
  const argument = { openRoundCid: round.id }
  return submitAs(network, [actor], {
    run: (tx) =>
      isLocked
        ? tx.exercise(lockedCoinExpireCoin, cid, argument)
        : tx.exercise(coinExpire, cid, argument),
  })
}

const WAYS: ReadonlyMap<PlainKind, InstructionChoice> = new Map([
  ['instruction-accept', 'accept'],
  ['instruction-reject', 'reject'],
  ['instruction-withdraw', 'withdraw'],
  ['instruction-expire', 'reject'],
])

/**
 * By the context that the registry gives; the network lets an instruction expire in that of a
 * rejection.
 */
async function endInstruction(
  network: Network,
  kind: PlainKind,
  actor: string,
  cid: string,
): Promise<Answer> {
  const found = await transferInstructionContext(network.economy, cid, WAYS.get(kind) ?? 'reject')
  if (found instanceof PlainError)
    return handlerAnswer({ status: found.status, body: { error: found.message } })
  const extraArgs = extraArgsOf(found.context)
  const disclosed = found.context.disclosed.map(({ record }) => record)
  return submitAs(network, [actor], {
    disclosed,
    run: (tx) => {
      if (kind === 'instruction-accept')
        tx.exercise(coinTransferInstructionAccept, cid, { extraArgs })
      else if (kind === 'instruction-reject')
        tx.exercise(coinTransferInstructionReject, cid, { extraArgs })
      else if (kind === 'instruction-withdraw')
        tx.exercise(coinTransferInstructionWithdraw, cid, { extraArgs })
      else tx.exercise(coinTransferInstructionUpdate, cid, { extraActors: [], extraArgs })
    },
  })
}
