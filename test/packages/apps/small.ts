// Packages of a template or two: holdings that are dummies, and the onboarding of validators.
import { EXTRA, interfaces } from '../kit.ts'
import { releasedModule } from '../released.ts'
import { FUTURE, PASSED, PAST } from './stage.ts'
import type { Stage } from './stage.ts'

export async function playDummies(stage: Stage, packageId: string): Promise<void> {
  const { alice: owner, admin: issuer } = stage.parties
  const template = (name: string) =>
    `${packageId}:${releasedModule(`Api.Token.Test.${name}`)}:${name}`
  await stage.create(['alice', 'admin'], template('DummyHolding'), { owner, issuer, amount: '1' })
}

export async function playTwoDummies(stage: Stage, packageId: string): Promise<void> {
  await playDummies(stage, packageId)
  const { alice: owner, admin: issuer } = stage.parties
  const name = 'DummyTwoInterfaces'
  const template = `${packageId}:${releasedModule(`Api.Token.Test.${name}`)}:${name}`
  const payload = { owner, issuer, amount: '1', date: PAST }
  const [first, second] = [
    await stage.create(['alice', 'admin'], template, payload),
    await stage.create(['alice', 'admin'], template, payload),
  ]
  const request = interfaces.allocationRequest
  const reject = { actor: owner, extraArgs: EXTRA }
  await stage.exercise(['alice'], request, first, 'AllocationRequest_Reject', reject)
  const withdraw = { extraArgs: EXTRA }
  await stage.exercise(['admin'], request, second, 'AllocationRequest_Withdraw', withdraw)
}

export async function playOnboarding(stage: Stage, packageId: string): Promise<void> {
  const { admin: sv, alice: validator } = stage.parties
  const template = `${packageId}:${releasedModule('ValidatorOnboarding')}:ValidatorOnboarding`
  const [match, expire] = ['ValidatorOnboarding_Match', 'ValidatorOnboarding_Expire']
  const start = (expiresAt: string) =>
    stage.create(['admin'], template, { sv, candidateSecret: 'secret', expiresAt })
  const open = await start(FUTURE)
  const given = (providedSecret: string) => ({ providedSecret, validator })
  await stage.refuse(['admin'], template, open, match, given('another'), /provided secret/)
  await stage.refuse(['admin'], template, open, expire, {}, /expiresAt/)
  await stage.exercise(['admin'], template, open, match, given('secret'))
  await stage.exercise(['admin'], template, await start(PASSED), expire, {})
}
