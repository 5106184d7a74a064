// Validators of the network: their licence, and the record that each may take once a round for
// being alive. docs/economy-rules.md, "Liveness"
import { ValidatorLicense, ValidatorLivenessActivityRecord } from '../../generated/contracts.gen.ts'
import type { FaucetState } from '../../generated/contracts.gen.ts'
import { DECIMAL_ONE } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { takeNow } from './now.ts'
import { openRoundInUse } from './round-use.ts'
import { timeText } from './requirements.ts'
import { HOUR_MICROS } from '../engine/durations.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

const MAX_METADATA_LENGTH = 255

/** A validator is part of the network. */
export const validatorLicense = defineTemplate(ValidatorLicense, {
  ...ofNetwork,
  observers: (licence) => [licence.validator],
  ensure: ({ metadata }) =>
    metadata === null || [metadata.version, metadata.contactPoint].every(fitsMetadata),
})

/** A validator was alive in a round. Rank: the round. */
export const validatorLivenessActivityRecord = defineTemplate(ValidatorLivenessActivityRecord, {
  ...ofNetwork,
  observers: (record) => [record.validator],
  rank: (record) => record.round,
  totals: (record) => [
    { name: 'coupons.liveness', account: record.round.toString(), amount: DECIMAL_ONE },
  ],
})

/**
 * One record for the round, which must be after the last one received: a round skipped is missed
 * for good.
 */
export const validatorLicenseRecordValidatorLivenessActivity = choice(
  validatorLicense,
  ValidatorLicense.choices.ValidatorLicense_RecordValidatorLivenessActivity,
  {
    controllers: (licence) => [licence.validator],
    run: (tx, { payload: licence }, { openRoundCid, now }) => {
      const { dso, round } = openRoundInUse(tx, licence.dso, openRoundCid)
      takeNow(tx, now)
      const faucetState = received(tx, licence.faucetState, round)
      const record = { dso, validator: licence.validator, round }
      return {
        licenseCid: tx.create(validatorLicense, { ...licence, faucetState, lastActiveAt: now }),
        validatorLivenessActivityRecordCid: tx.create(validatorLivenessActivityRecord, record),
      }
    },
  },
)

function received(tx: Tx, state: FaucetState | null, round: bigint): FaucetState {
  if (state === null)
    return { firstReceivedFor: round, lastReceivedFor: round, numCouponsMissed: 0n }
  tx.require(
    round > state.lastReceivedFor,
    `the round is after ${state.lastReceivedFor}, the last one received`,
    () => `${round}`,
  )
  const numCouponsMissed = state.numCouponsMissed + round - state.lastReceivedFor - 1n
  return { ...state, lastReceivedFor: round, numCouponsMissed }
}

/** Says at most once an hour that the validator is alive, without a reward for it. */
export const validatorLicenseReportActive = choice(
  validatorLicense,
  ValidatorLicense.choices.ValidatorLicense_ReportActive,
  {
    controllers: (licence) => [licence.validator],
    run: (tx, { payload: licence }, { now }) => {
      takeNow(tx, now)
      requireHourSince(tx, licence.lastActiveAt, now)
      return { licenseCid: tx.create(validatorLicense, { ...licence, lastActiveAt: now }) }
    },
  },
)

/** Updates the metadata, at most once an hour and only if something changes. */
export const validatorLicenseUpdateMetadata = choice(
  validatorLicense,
  ValidatorLicense.choices.ValidatorLicense_UpdateMetadata,
  {
    controllers: (licence) => [licence.validator],
    run: (tx: Tx, { payload: licence }, { version, contactPoint, now }) => {
      const last = licence.metadata
      takeNow(tx, now)
      requireHourSince(tx, last?.lastUpdatedAt ?? null, now)
      tx.require(
        [version, contactPoint].every(fitsMetadata),
        `version and contact point have at most ${MAX_METADATA_LENGTH} characters`,
        () => `${version.length} and ${contactPoint.length}`,
      )
      tx.require(
        version !== last?.version || contactPoint !== last.contactPoint,
        'version or contact point changes',
        () => `${version} and ${contactPoint} as before`,
      )
      const metadata = { lastUpdatedAt: now, version, contactPoint }
      const updated = { ...licence, metadata, lastActiveAt: now }
      return { licenseCid: tx.create(validatorLicense, updated) }
    },
  },
)

/** The network takes the licence back. */
export const validatorLicenseWithdraw = choice(
  validatorLicense,
  ValidatorLicense.choices.ValidatorLicense_Withdraw,
  {
    controllers: byNetwork,
  },
)

/** The validator gives the licence up. */
export const validatorLicenseCancel = choice(
  validatorLicense,
  ValidatorLicense.choices.ValidatorLicense_Cancel,
  { controllers: (licence) => [licence.validator] },
)

function requireHourSince(tx: Tx, last: bigint | null, now: bigint): void {
  tx.require(
    last === null || now >= last + HOUR_MICROS,
    'the last report is an hour ago',
    () => `${timeText(last ?? now)}, at ${timeText(now)}`,
  )
}

function fitsMetadata(text: string): boolean {
  return text.length <= MAX_METADATA_LENGTH
}
