// Takes users into the validator, and out of it: user, party, rights, wallet and validator right, each step only where it is missing,
// so that any call can be made again. domain/behaviour.md §13, domain/wire.md §1.4
import {
  NO_METADATA, validatorRight, validatorRightArchiveAsValidator, walletAppInstall, walletAppInstallMergeDelegationProposalCreate,
} from '../../contracts/index.ts'
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import type { Contract, Tx } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import { partyFault, userIdFault } from '../grammar.ts'
import { uniqueIdentifier } from '../ledger/topology/unique-identifier.ts'
import { networkSubmission, submitForNetwork } from '../network/commands.ts'
import { refusalError } from './errors.ts'
import { partyHint } from './party-hint.ts'
import type { UserKeeper } from './user-keeper.ts'
import { ALLOCATED_FOR } from './user-keeper.ts'

const MAX_ATTEMPTS = 20

export interface OnboardRequest {
  readonly name: string
  /** A party that exists; without it the user's own, or a fresh one named after the user. */
  readonly partyId?: string
  /** Allocates `partyId` where it does not exist; it must be in this node's namespace. */
  readonly createPartyIfMissing?: boolean
}

export type Onboarded =
  | { readonly ok: true; readonly partyId: string }
  /** `invalid`: never possible like that; `unknown-party`: see `createPartyIfMissing`; `other-party`: the user has one already. */
  | { readonly ok: false; readonly kind: 'invalid' | 'unknown-party' | 'other-party'; readonly message: string }

export type Offboarded = 'offboarded' | 'unknown' | 'operator'

export interface Onboarding {
  onboardUser(request: OnboardRequest): Promise<Onboarded>
  /** Coins stay with the party. `unknown`: no such wallet; `operator`: the validator's own, which stays. */
  offboardUser(name: string): Promise<Offboarded>
}

/** Onboarding for handlers and for the development network's seed. */
export function createOnboarding(economy: Economy, users: UserKeeper): Onboarding {
  return {
    onboardUser: (request) => onboard(economy, users, request),
    offboardUser: (name) => offboard(economy, users, name),
  }
}

/** The wallet of a user on this validator. Of the same name there may be any number that others signed. */
export async function installOf({ reader, parties: { operator } }: Economy, name: string): Promise<Contract<WalletAppInstall> | undefined> {
  const installs = await reader.all(walletAppInstall, [2, name])
  return installs.find(({ payload }) => payload.validatorParty === operator)
}

async function onboard(economy: Economy, users: UserKeeper, request: OnboardRequest): Promise<Onboarded> {
  const { name, partyId } = request
  const party = await chooseParty(economy, request)
  if (typeof party !== 'string') return party
  const own = await users.ensure({ name, party })
  if (partyId !== undefined && own !== partyId) {
    return { ok: false, kind: 'other-party', message: `user ${name} has the party ${own} already` }
  }
  const operator = economy.settings.validator.validatorWalletUser
  if (name !== operator) await users.grantActAs(operator, own)
  await ensureWallet(economy, name, own)
  return { ok: true, partyId: own }
}

async function chooseParty(economy: Economy, request: OnboardRequest): Promise<string | Exclude<Onboarded, { readonly ok: true }>> {
  const { name, partyId, createPartyIfMissing = false } = request
  const { store, node: { namespace } } = economy
  const fault = userIdFault(name) ?? (partyId === undefined ? undefined : partyFault(partyId))
  if (fault !== undefined) return { ok: false, kind: 'invalid', message: fault }
  if (partyId === undefined) return (await store.users.get(name))?.primaryParty || await freshParty(economy, name)
  if ((await store.parties.get([partyId])).length > 0) return partyId
  if (!createPartyIfMissing) return { ok: false, kind: 'unknown-party', message: `party ${partyId} is not known here` }
  if (partyId.endsWith(`::${namespace}`) && partyId.indexOf('::') > 0) return partyId
  return { ok: false, kind: 'invalid', message: `party ${partyId} is not in this node's namespace ${namespace}` }
}

/** Named after the user; a party of that name that was not allocated for the user stays whose it is. */
async function freshParty({ store, node: { namespace }, newName }: Economy, name: string): Promise<string> {
  const party = uniqueIdentifier(partyHint(name), namespace)
  const [existing] = await store.parties.get([party])
  if (existing === undefined || existing.annotations[ALLOCATED_FOR] === name) return party
  return uniqueIdentifier(`${partyHint(name)}-${newName()}`, namespace)
}

async function ensureWallet(economy: Economy, name: string, party: string): Promise<void> {
  let commandId = `onboard/${name}`
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const [install, right] = await Promise.all([installOf(economy, name), rightOf(economy, party)])
    if (install !== undefined && right !== undefined) return
    const outcome = await economy.engine.submit(networkSubmission({
      actAs: [...new Set([party, economy.parties.operator])], commandId,
      run: (tx) => makeWallet(tx, economy, { name, party, hasInstall: install !== undefined, hasRight: right !== undefined }),
    }))
    if (outcome.ok) return
    // An earlier life of the wallet had this command; its offset names the next one, for whoever else is at it too.
    if (outcome.kind === 'duplicate') commandId = `onboard/${name}/${outcome.offset}`
    else if (outcome.kind !== 'duplicate-in-flight') throw new Error(`onboarding ${name}: ${refusalError(outcome).message}`)
    else await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`onboarding ${name}: others are at it all the time`)
}

interface Missing {
  readonly name: string
  readonly party: string
  readonly hasInstall: boolean
  readonly hasRight: boolean
}

function makeWallet(tx: Tx, { parties: { dso, operator }, settings: { validator } }: Economy, missing: Missing): void {
  const { name, party, hasInstall, hasRight } = missing
  if (!hasRight) tx.create(validatorRight, { dso, user: party, validator: operator })
  if (hasInstall) return
  const install = tx.create(walletAppInstall, { dsoParty: dso, validatorParty: operator, endUserName: name, endUserParty: party })
  if (!validator.proposeMergeDelegation || party === operator) return
  tx.exercise(walletAppInstallMergeDelegationProposalCreate, install, { operator, meta: NO_METADATA })
}

async function rightOf({ reader, parties: { operator } }: Economy, party: string) {
  const rights = await reader.active(validatorRight, { key: [1, party] })
  return rights.find(({ payload }) => payload.validator === operator)
}

async function offboard(economy: Economy, users: UserKeeper, name: string): Promise<Offboarded> {
  const { parties: { operator }, settings: { validator: { validatorWalletUser } } } = economy
  const install = await installOf(economy, name)
  if (install === undefined) return 'unknown'
  const party = install.payload.endUserParty
  if (party === operator) return 'operator'
  const isShared = (await economy.reader.active(walletAppInstall, { key: [1, party] })).length > 1
  const right = isShared ? undefined : await rightOf(economy, party)
  await submitForNetwork(economy, {
    actAs: [party, operator],
    run: (tx) => {
      tx.archive(walletAppInstall, install.id)
      if (right !== undefined) tx.exercise(validatorRightArchiveAsValidator, right.id, {})
    },
  })
  await users.remove(name)
  if (!isShared) await users.revokeActAs(validatorWalletUser, party)
  return 'offboarded'
}
