// Every template and choice of spec/contracts.yaml has code, and what lacks it does not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interfaceTypes, templateTypes } from '../../generated/contracts.gen.ts'
import {
  allTemplates,
  coin,
  coinExpire,
  coinTransferInstruction,
  coinTransferInstructionAccept,
  coinTransferInstructionReject,
  coinTransferInstructionUpdate,
  coinTransferInstructionWithdraw,
  lockedCoin,
  mintingDelegationReject,
  mintingDelegationWithdraw,
  mintingDelegation,
  mintingDelegationMint,
  transferOffer,
  validatorRewardCoupon,
} from '../../runtime/contracts/index.ts'
import { bindTemplate, bindTemplates, choices, defineTemplate } from '../../runtime/engine/index.ts'
import type { Reader } from '../../runtime/engine/index.ts'

test('each choice of the document, own or of an interface, can be exercised', () => {
  const choicesOf = new Map(
    Object.values(interfaceTypes).map(({ id, choices }) => [id, Object.keys(choices)]),
  )
  const documented = Object.values(templateTypes).map(({ name, choices, interfaces }) => [
    name,
    [...Object.keys(choices), ...interfaces.flatMap((id) => choicesOf.get(id) ?? [])].sort(),
  ])
  const bound = allTemplates.map(({ name, choices }) => [name, [...choices.keys()].sort()])
  assert.deepEqual(Object.fromEntries(bound), Object.fromEntries(documented))
})

test('a choice does not pass for another of the same types', () => {
  assert.throws(
    () =>
      bindTemplate(mintingDelegation, {
        MintingDelegation_Mint: mintingDelegationMint,
        MintingDelegation_Reject: mintingDelegationWithdraw,
        MintingDelegation_Withdraw: mintingDelegationReject,
      }),
    {
      name: 'TypeError',
      message: 'MintingDelegation_Withdraw stands under the name MintingDelegation_Reject',
    },
  )
})

/** Never called: the compiler reads it. */
export function incomplete(): unknown {
  const { Coin, CoinTransferInstruction } = templateTypes
  return [
    bindTemplates({ Coin }, { coin, coinExpire }, {}),
    bindTemplates({ Coin }, { coin }, { Coin: { Coin_Expire: coinExpire } }),
    // @ts-expect-error the template has no code
    bindTemplates({ Coin }, { coinExpire }, {}),
    // @ts-expect-error Coin_Expire has no code
    bindTemplates({ Coin }, { coin }, {}),
    // @ts-expect-error Coin_Expire has no code
    bindTemplates({ Coin }, { coin }, { Coin: {} }),
    bindTemplates(
      { CoinTransferInstruction },
      // @ts-expect-error a choice of an interface has no code
      {
        coinTransferInstruction,
        coinTransferInstructionAccept,
        coinTransferInstructionReject,
        coinTransferInstructionWithdraw,
      },
      {},
    ),
    // @ts-expect-error the choice is of another template
    bindTemplates({ Coin }, { coin, coinExpire: coinTransferInstructionUpdate }, {}),
    // @ts-expect-error a coin is no locked coin
    bindTemplates({ Coin }, { coin: lockedCoin, coinExpire }, {}),
    // @ts-expect-error a coin has no such choice
    choices(coin, { Coin_Unlock: coinExpire.rules }),
    // @ts-expect-error a choice says who controls it
    choices(coin, { Coin_Expire: { run: coinExpire.rules.run } }),
  ]
}

/** Never called, as above: what does not find a contract does not compile. */
export function wrongKeys(reader: Reader): unknown {
  return [
    reader.active(coin, { owner: 'alice' }, { order: 'rank' }),
    reader.all(validatorRewardCoupon, { round: 1n }),
    // @ts-expect-error a coin has no such key
    reader.active(coin, { sender: 'alice' }),
    // @ts-expect-error an owner is a text
    reader.active(coin, { owner: 1n }),
    // @ts-expect-error a round is a number
    reader.all(validatorRewardCoupon, { round: '1' }),
    // @ts-expect-error no index serves both
    reader.active(transferOffer, { sender: 'alice', receiver: 'bob' }),
    // @ts-expect-error a key without a value
    reader.active(coin, { owner: undefined }),
    // @ts-expect-error a coin has no such key
    coin.by('sender'),
    defineTemplate(templateTypes.Coin, { signatories: ({ dso }) => [dso] }),
    // @ts-expect-error what a locked coin is found by is none of its members
    defineTemplate(templateTypes.LockedCoin, { signatories: ({ coin: held }) => [held.dso] }),
    defineTemplate(templateTypes.Coin, {
      signatories: ({ dso }) => [dso],
      // @ts-expect-error an owner is a text
      keys: () => ({ owner: 1n }),
    }),
  ]
}
