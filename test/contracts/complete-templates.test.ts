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
} from '../../runtime/contracts/index.ts'
import { bindTemplate } from '../../runtime/engine/index.ts'
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
