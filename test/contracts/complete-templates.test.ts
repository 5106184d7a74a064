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
import { bindTemplate, defineTemplate } from '../../runtime/engine/index.ts'
import type { Reader } from '../../runtime/engine/index.ts'
import type { TemplatesOf } from '../../runtime/engine/template.ts'

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
  const types = { Coin: templateTypes.Coin, LockedCoin: templateTypes.LockedCoin }
  const Coin = bindTemplate(coin, { Coin_Expire: coinExpire })
  const all: TemplatesOf<Pick<typeof types, 'Coin'>> = { Coin }
  return [
    all,
    // @ts-expect-error Coin_Expire has no code
    bindTemplate(coin, {}),
    // @ts-expect-error a choice of an interface has no code
    bindTemplate(coinTransferInstruction, {
      TransferInstruction_Accept: coinTransferInstructionAccept,
      TransferInstruction_Reject: coinTransferInstructionReject,
      TransferInstruction_Withdraw: coinTransferInstructionWithdraw,
    }),
    // @ts-expect-error the choice is of another template
    bindTemplate(coin, { Coin_Expire: coinTransferInstructionUpdate }),
    // @ts-expect-error a coin has no such choice
    bindTemplate(coin, { Coin_Expire: coinExpire, Coin_Unlock: coinExpire }),
    // @ts-expect-error LockedCoin is not listed
    { Coin } satisfies TemplatesOf<typeof types>,
    // @ts-expect-error a coin is no locked coin
    { Coin, LockedCoin: Coin } satisfies TemplatesOf<typeof types>,
    // @ts-expect-error locked coins have choices
    { Coin, LockedCoin: bindTemplate(lockedCoin, {}) } satisfies TemplatesOf<typeof types>,
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
    // @ts-expect-error what a coin is found by is missing
    defineTemplate(templateTypes.Coin, { signatories: ({ dso }) => [dso] }),
    defineTemplate(templateTypes.Coin, {
      signatories: ({ dso }) => [dso],
      // @ts-expect-error an owner is a text
      keys: () => ({ owner: 1n }),
    }),
  ]
}
