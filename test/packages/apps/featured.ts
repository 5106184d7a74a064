// Proxies that mark activity of a featured app: of a delegate, of a wallet's users, in batches.
import { EXTRA } from '../kit.ts'
import { released, releasedModule, wire } from '../released.ts'
import { PAST } from './stage.ts'
import type { Name, Stage } from './stage.ts'
import type { TokenV1 } from './token-v1.ts'
import { transferOf } from './values.ts'

/** The right of `provider` as the released coin has it; the admin is the network's party. */
async function rightOf(stage: Stage, provider: string): Promise<string> {
  const template = `#${released(wire('coin'))}:${releasedModule(wire('Coin'))}:FeaturedAppRight`
  return stage.create(['admin'], template, { dso: stage.parties.admin, provider })
}

/** Calls of a proxy and what they are about, each in a good one and a fresh contract. */
function callsOf(token: TokenV1) {
  const { stage } = token
  const { parties } = stage
  const transfer = async (): Promise<object> => ({
    expectedAdmin: parties.admin,
    transfer: transferOf(parties, [await token.mint()]),
    extraArgs: EXTRA,
  })
  const allocation = async (): Promise<object> => ({
    expectedAdmin: parties.admin,
    allocation: token.allocationOf(),
    requestedAt: PAST,
    inputHoldingCids: [await token.mint()],
    extraArgs: EXTRA,
  })
  const ended = async (): Promise<object> => ({ extraArgs: EXTRA })
  return [
    ['TransferFactory_Transfer', 'alice', () => token.rules(), transfer],
    ['TransferInstruction_Accept', 'bob', () => token.offer(), ended],
    ['TransferInstruction_Reject', 'bob', () => token.offer(), ended],
    // The first version of the proxy takes the receiver for who withdraws.
    [
      'TransferInstruction_Withdraw',
      'alice',
      () => token.offer({ receiver: parties.alice }),
      ended,
    ],
    ['AllocationFactory_Allocate', 'alice', () => token.rules(), allocation],
    ['Allocation_Withdraw', 'alice', () => token.allocated(), ended],
  ] as const
}

/** A delegate acts for the provider alone, so it is a party to what it calls as well. */
export async function playDelegates(
  stage: Stage,
  packageId: string,
  token: TokenV1,
): Promise<void> {
  const { parties } = stage
  const module = releasedModule('Util.FeaturedApp.DelegateProxy')
  const template = `${packageId}:${module}:DelegateProxy`
  const [provider, venue] = [parties.bank, parties.venue]
  const appointed = (delegate: string): Promise<string> =>
    stage.create(['bank'], template, { provider, delegate })
  const strange = { id: await appointed(venue), right: await rightOf(stage, venue) }
  const right = await rightOf(stage, provider)
  for (const [name, delegate, target, argument] of callsOf(token)) {
    const call = async (featuredAppRightCid: string): Promise<object> => ({
      cid: await target(),
      proxyArg: {
        featuredAppRightCid,
        beneficiaries: [{ beneficiary: provider, weight: '1' }],
        choiceArg: await argument(),
      },
    })
    const choice = `DelegateProxy_${name}`
    const other = await call(strange.right)
    await stage.refuse(['venue'], template, strange.id, choice, other, /matches expected provider/)
    const id = await appointed(parties[delegate])
    await stage.exercise([delegate], template, id, choice, await call(right))
  }
}

/** A proxy of a wallet's users, of all or of those in a list. */
function walletProxy(stage: Stage, packageId: string) {
  const module = releasedModule('Util.FeaturedApp.WalletUserProxy')
  const template = `${packageId}:${module}:WalletUserProxy`
  const payload = (allowed: readonly Name[] | null, userWeight = '0.2'): object => ({
    provider: stage.parties.bank,
    providerWeight: '0.8',
    userWeight,
    extraBeneficiaries: [],
    optAllowList: allowed && allowed.map((name) => stage.parties[name]),
  })
  return { template, payload }
}

export async function playWalletUsers(
  stage: Stage,
  packageId: string,
  token: TokenV1,
): Promise<void> {
  const { parties } = stage
  const { template, payload } = walletProxy(stage, packageId)
  await stage.refuseCreate(['bank'], template, payload(null, '1.5'))
  const open = await stage.create(['bank'], template, payload(null))
  const closed = await stage.create(['bank'], template, payload(['venue']))
  const featuredAppRightCid = await rightOf(stage, parties.bank)
  for (const [name, user, target, argument] of callsOf(token)) {
    const choice = `WalletUserProxy_${name}`
    const call = {
      cid: await target(),
      proxyArg: { user: parties[user], choiceArg: await argument(), featuredAppRightCid },
    }
    await stage.refuse([user], template, closed, choice, call, /allow list/)
    await stage.exercise([user], template, open, choice, call)
  }
}

/** What later versions of the proxy add. */
export async function playWalletBatches(
  stage: Stage,
  packageId: string,
  token: TokenV1,
): Promise<void> {
  const { parties } = stage
  const { template, payload } = walletProxy(stage, packageId)
  const proxy = await stage.create(['bank'], template, payload(null))
  const actor = parties.bob
  await stage.exercise(['bob'], template, proxy, 'WalletUserProxy_PublicFetch', { actor })
  const rules = await token.rules()
  const inputs = [await token.mint('5')]
  const transferCalls = (amount: string) =>
    [inputs, []].map((inputHoldingCids) => ({
      factoryCid: rules,
      choiceArg: {
        expectedAdmin: parties.admin,
        transfer: transferOf(parties, inputHoldingCids, { amount }),
        extraArgs: EXTRA,
      },
    }))
  const choice = 'WalletUserProxy_BatchTransfer'
  const optFeaturedAppRightCid = await rightOf(stage, parties.bank)
  const batch = (amount: string): object => ({
    transferCalls: transferCalls(amount),
    optFeaturedAppRightCid,
  })
  await stage.refuse(['alice'], template, proxy, choice, batch('3'), /input amount/)
  await stage.exercise(['alice'], template, proxy, choice, batch('2.5'))
}

export async function playMarkers(stage: Stage, packageId: string): Promise<void> {
  await playMarkersOf(stage, packageId, 'BatchedMarkersProxy_CreateMarkers', {
    numMarkers: ['2', '0'],
  })
}

export async function playLaterMarkers(stage: Stage, packageId: string): Promise<void> {
  await playMarkers(stage, packageId)
  await playMarkersOf(stage, packageId, 'BatchedMarkersProxy_CreateMarkersV2', {
    markerWeight: ['2.5', '0.5'],
  })
}

/** `weight`: a member, with a value that is allowed and one that is not. */
async function playMarkersOf(
  stage: Stage,
  packageId: string,
  choice: string,
  weight: Readonly<Record<string, readonly [string, string]>>,
): Promise<void> {
  const { bank: provider, admin: dso, alice } = stage.parties
  const module = releasedModule('Util.FeaturedApp.BatchedMarkersProxy')
  const template = `${packageId}:${module}:BatchedMarkersProxy`
  const id = await stage.create(['bank'], template, { provider, dso })
  const featuredAppRightCid = await rightOf(stage, provider)
  const batches = (which: 0 | 1): object => ({
    featuredAppRightCid,
    batches: Object.entries(weight).map(([member, values]) => ({
      beneficiaries: [{ beneficiary: alice, weight: '1' }],
      [member]: values[which],
    })),
  })
  await stage.refuse(['bank'], template, id, choice, batches(1), /requirement/)
  await stage.exercise(['bank'], template, id, choice, batches(0))
}
