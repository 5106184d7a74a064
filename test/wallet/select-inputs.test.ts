// Which inputs a payment takes, by hand-made cases. docs/economy-rules.md, "Input selection"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectInputs } from '../../runtime/economy/treasury/select-inputs.ts'
import type { RewardInput, Selectable } from '../../runtime/economy/treasury/select-inputs.ts'

const coins = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`)

function reward(name: string, round: bigint, value: bigint): RewardInput {
  return { input: { tag: 'InputAppRewardCoupon', value: name }, round, value }
}

function selectable(some: Partial<Selectable>): Selectable {
  const ids = some.coins ?? []
  return {
    coins: ids,
    coinCount: ids.length,
    rewards: [],
    unclaimedActivity: [],
    developmentFund: [],
    ...some,
  }
}

const names = (inputs: readonly { readonly value: string }[]) => inputs.map(({ value }) => value)

test('rewards come after a tenth of the limit of the largest coins, soonest round first, then the most valuable', () => {
  const rewards = [reward('r2', 2n, 9n), reward('r1-small', 1n, 1n), reward('r1-big', 1n, 5n)]
  const taken = names(selectInputs(selectable({ coins: coins(12), rewards }), 100))
  assert.deepEqual(taken, [...coins(10), 'r1-big', 'r1-small', 'r2', 'c10', 'c11'])
})

test('the first share grows with what there is, and is never below two', () => {
  const rewards = [reward('r', 1n, 1n)]
  assert.equal(
    names(selectInputs(selectable({ coins: coins(100), coinCount: 249, rewards }), 100)).indexOf(
      'r',
    ),
    25,
  )
  assert.equal(names(selectInputs(selectable({ coins: coins(5), rewards }), 5)).indexOf('r'), 2)
})

test('at most the limit, less one for each tap; what is bound to no round comes last', () => {
  const unclaimedActivity = [{ tag: 'InputUnclaimedActivityRecord', value: 'u' }] as const
  const developmentFund = [{ tag: 'InputDevelopmentFundCoupon', value: 'd' }] as const
  assert.deepEqual(
    names(selectInputs(selectable({ coins: ['c0'], unclaimedActivity, developmentFund }), 100)),
    ['c0', 'u', 'd'],
  )
  assert.equal(selectInputs(selectable({ coins: coins(100), coinCount: 400 }), 100, 3).length, 97)
})
