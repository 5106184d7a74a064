// What a wallet does, and what is signed outside: "Wallets", R7, and "acts only through
// signatures". docs/authority.md
import type { Ask, Deed, Op } from './ops.ts'
import {
  actsAs,
  callerOf,
  canAct,
  canExecute,
  canRead,
  isExternal,
  isOperator,
  operatorPartyOf,
  walletOf,
} from './rules.ts'
import type { Caller } from './rules.ts'
import type { User, World } from './state.ts'
import { NOTHING, STILL, done, open, refused } from './verdict.ts'
import type { Effect, Verdict } from './verdict.ts'

type Of<Name extends Ask['op']> = Extract<Ask, { readonly op: Name }>
type WalletAsk = Of<'tap' | 'preapprove' | 'send' | 'offer' | 'transfer' | 'answer' | 'merge'>

const WALLET_OPS: ReadonlySet<Op['op']> = new Set<WalletAsk['op']>([
  'tap',
  'preapprove',
  'send',
  'offer',
  'transfer',
  'answer',
  'merge',
])

/** 10^-10 coin of a dollar. */
const COIN_OF_DOLLAR = 200n * 10_000_000_000n

/** The link and CanActAs, both now. */
export function judgeWallet(world: World, caller: User, ask: WalletAsk): Verdict {
  const wallet = walletOf(caller)
  if (wallet === undefined)
    return refused('a wallet takes the link and CanActAs on its party', 403, 404)
  const { operatorParty: operator } = world.setting
  switch (ask.op) {
    case 'tap': {
      const moves = new Map([[wallet, ask.usd * COIN_OF_DOLLAR]])
      return done('the wallet is used', () => ({ acting: [wallet, operator], moves }))
    }
    case 'preapprove':
      return open('the wallet is used', () => {
        world.preapproved.add(wallet)
        return { acting: [wallet, operator], moves: STILL }
      })
    case 'send':
      if (!world.preapproved.has(ask.to)) return refused('one step takes a preapproval')
      return open('the wallet is used', () => ({
        acting: [wallet, operator, ask.to, operatorPartyOf(world, ask.to)],
        spending: [wallet],
        moves: payment(wallet, ask),
      }))
    case 'merge':
      return open('the wallet is used', () => ({ acting: [wallet, operator], moves: STILL }))
    case 'answer':
      return judgeAnswer(world, wallet, ask)
    default:
      return judgeOffer(world, wallet, ask)
  }
}

function payment(
  from: string,
  { to, amount }: { readonly to: string; readonly amount: bigint },
): ReadonlyMap<string, bigint> {
  return from === to
    ? STILL
    : new Map([
        [from, -amount],
        [to, amount],
      ])
}

function judgeOffer(world: World, wallet: string, { op, to }: Of<'offer' | 'transfer'>): Verdict {
  return open('the wallet is used', ({ named }) => {
    if (named !== '')
      world.offered.set(named, { cid: named, kind: op, sender: wallet, receiver: to })
    const own = [wallet, world.setting.operatorParty]
    const isPaid = world.preapproved.has(to)
    const acting = isPaid ? [...own, to, operatorPartyOf(world, to)] : own
    return { acting, spending: [wallet], ...(op === 'offer' ? { moves: STILL } : {}) }
  })
}

/** The receiver accepts or rejects, the sender withdraws. */
function judgeAnswer(world: World, wallet: string, { cid, kind, reply }: Of<'answer'>): Verdict {
  const offered = world.offered.get(cid)
  const entitled =
    offered?.kind !== kind ? undefined : reply === 'withdraw' ? offered.sender : offered.receiver
  if (offered === undefined || entitled !== wallet)
    return refused('receivers answer, senders withdraw')
  return open('the wallet is used', () => {
    world.offered.delete(cid)
    if (kind === 'offer' && reply === 'accept') world.agreed.add(offered.sender)
    const { sender, receiver } = offered
    const isPaid = kind === 'transfer' && reply === 'accept'
    return {
      acting: [sender, receiver, operatorPartyOf(world, sender), operatorPartyOf(world, receiver)],
      spending: isPaid ? [sender] : [],
      ...(isPaid ? {} : { moves: STILL }),
    }
  })
}

/**
 * Commands of the ledger interface: CanActAs on everybody who acts, and the node signs for all of
 * them.
 */
export function judgeSubmit(world: World, caller: User, ask: Of<'submit'>): Verdict {
  const { actAs: actors, readAs, deed } = ask
  if (!actors.every((party) => actsAs(world, caller, party)))
    return refused('commands take CanActAs', 403)
  if (!readAs.every((party) => canRead(world, caller, party)))
    return refused('reading takes a right', 403)
  if (!actors.every((party) => canAct(world, caller, party)))
    return refused('the node signs for whoever acts')
  if (deed.deed === 'end-network' || !actors.includes(deed.party))
    return refused('a deed takes the authority of its party')
  return done('commands of a party that the node signs for', ({ named }) =>
    deedDone(world, deed, named),
  )
}

function deedDone(world: World, deed: Deed, cid: string): Effect {
  if ((deed.deed === 'offer' || deed.deed === 'minting') && cid !== '') {
    world.offered.set(cid, { cid, kind: deed.deed, sender: deed.party, receiver: deed.to })
  }
  return { acting: [deed.party], moves: STILL }
}

/**
 * What a key outside signs: prepared by one user, executed by the same or another, each with the
 * right to.
 */
export function judgeSign(
  world: World,
  caller: User,
  { deed, signing, executor }: Of<'sign'>,
): Verdict {
  const { party } = deed
  if (!canExecute(world, caller, party)) return refused('preparing takes the right to execute', 403)
  if (!isExternal(world, party) || deed.deed === 'end-network')
    return refused('only keys outside sign')
  const by = callerOf(world, executor)
  if (by.kind !== 'user') return refused('executing takes a user', 401, 403)
  if (signing !== 'right') return refused('the key of the party signs')
  if (!canExecute(world, by.user, party)) return refused('executing takes the right to', 403)
  return done('what the party signed', () => deedDone(world, deed, ''))
}

/** Every party that is named, and any where all are asked for. */
export function judgeRead(world: World, caller: User, { parties, any, how }: Of<'read'>): Verdict {
  if (!parties.every((party) => canRead(world, caller, party)))
    return refused('reading takes a right', 403)
  const isAny = any && how !== 'tree' && how !== 'completions'
  if (isAny && !caller.rights.has('CanReadAsAnyParty'))
    return refused('reading as any party takes the right to', 403)
  const isAsked = parties.length > 0 || isAny
  // What is pruned, gone or of the wrong form is none of the page's business.
  return isAsked && how === 'active'
    ? done('reading', () => NOTHING)
    : open('reading', () => NOTHING)
}

/** Whether one key can sign for the party. */
function isSignedBy({ parties }: World, party: string, signer: string): boolean {
  const keys = parties.get(party)?.keys ?? []
  return keys.length === 1 && keys[0] === signer
}

/** R7: the operator hosts whom the keys of the namespace signed for. */
export function judgeHost(world: World, caller: User, { hint, key, signer }: Of<'host'>): Verdict {
  if (!isOperator(world, caller)) return refused('the operator hosts', 403)
  if (signer !== key) return refused('P2: the keys of the namespace signed')
  const known = world.parties.get(`${hint}::${world.setting.fingerprints[key] ?? ''}`)
  if (known !== undefined && known.keys.join() !== key)
    return refused('the party is there with other keys')
  const party = `${hint}::${world.setting.fingerprints[key] ?? ''}`
  if (world.elsewhere.has(party)) return refused('the party is at another node')
  return done('R7: host an external party', ({ named }) => {
    if (named !== party)
      return { acting: [], fault: `the party must be ${party}, the answer says ${named}` }
    if (known === undefined) world.parties.set(party, { id: party, provider: '', keys: [key] })
    return NOTHING
  })
}

export function judgeProposeSetup(
  world: World,
  caller: User,
  { party }: Of<'propose-setup'>,
): Verdict {
  if (!isOperator(world, caller)) return refused('the operator proposes', 403)
  if (!isExternal(world, party)) return refused('the key of the party is outside')
  if (world.proposed.has(party)) return refused('there is a proposal', 409)
  return open('the operator proposes', () => {
    world.proposed.add(party)
    return { acting: [world.setting.operatorParty], moves: STILL }
  })
}

export function judgeAcceptSetup(
  world: World,
  caller: User,
  { party, signer }: Of<'accept-setup'>,
): Verdict {
  if (!isOperator(world, caller)) return refused('the operator hands on', 403)
  if (!world.proposed.has(party)) return refused('there is a proposal')
  if (!isSignedBy(world, party, signer)) return refused('the keys of the party sign')
  return open('what the party signed', () => {
    world.proposed.delete(party)
    world.preapproved.add(party)
    return { acting: [party, world.setting.operatorParty], moves: STILL }
  })
}

export function judgeOrder(
  world: World,
  caller: User,
  { party, to, signer }: Of<'order'>,
): Verdict {
  if (!isOperator(world, caller)) return refused('the operator hands on', 403)
  if (!isSignedBy(world, party, signer)) return refused('the keys of the party sign')
  if (!world.preapproved.has(to)) return refused('one step takes a preapproval')
  return open('what the party signed', () => {
    world.agreed.add(party)
    world.orders.set(party, (world.orders.get(party) ?? 0) + 1)
    return { acting: [party, world.setting.operatorParty], moves: STILL }
  })
}

/**
 * The node's own tasks pay for those of its parties who agreed, whomever these pay, and merge and
 * mint what stays with its owner.
 */
export function judgeTask(world: World, caller: User): Verdict {
  if (!isOperator(world, caller)) return refused('the operator runs tasks', 403)
  return open('the node acts', () => ({
    acting: [...world.parties.keys(), ...world.elsewhere.keys()],
    spending: [...world.agreed].filter((party) => !world.elsewhere.has(party)),
  }))
}

/** The refusal of whoever is no user here: to a wallet like that of a user without one. */
export function judgeStranger(
  { kind }: Exclude<Caller, { readonly kind: 'user' }>,
  { op }: Op,
): Verdict {
  if (kind === 'nobody') return refused('a token is needed', 401)
  return kind !== 'blocked' && WALLET_OPS.has(op)
    ? refused('a newcomer has no wallet', 404)
    : refused('the subject is an active user of its provider', 403)
}
