// Takes users into the validator, and out of it: user, party, rights, wallet and validator right,
// each step only where it is missing, so that any call can be made again. docs/economy-rules.md,
// "Onboarding"; docs/external-parties.md
import {
  installChoices,
  NO_METADATA,
  validatorRight,
  validatorRightArchiveAsValidator,
  walletAppInstall,
} from '../../contracts/index.ts'
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import { pauseAfterLoss } from '../../engine/index.ts'
import type { Contract, Tx } from '../../engine/index.ts'
import type { UserRecord, WalletOpened, WalletOpening } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { fitsWallet } from '../../store/rules.ts'
import { ledgerStringProblem, partyProblem, userIdProblem } from '../../errors/grammar.ts'
import { uniqueIdentifier } from '../../participant/topology/unique-identifier.ts'
import {
  isPassing,
  networkSubmission,
  submitForNetwork,
  SubmissionRejected,
} from '../network/commands.ts'
import { rejectionError } from '../errors.ts'
import { partyHint } from './party-hint.ts'
import type { UserKeeper } from './user-keeper.ts'

/** Milliseconds in which others may come between before the caller is asked to come back. */
const PATIENCE_MS = 5_000
/**
 * For which a command that makes a wallet is not done twice: longer than two servers may be at it
 * at once. A later life of the wallet is a new command.
 */
const ONCE_MICROS = 60_000_000n

/** More than a name has that nobody plays with. */
const MANY_INSTALLS = 100

export interface OnboardRequest {
  readonly name: string
  /** The provider of the user: one of the same name in another provider is another user. */
  readonly identityProviderId: string
  /**
   * A party that this node signs for and that the caller gives; without it the user's own, or a
   * fresh one named after the user.
   */
  readonly partyId?: string
  /** Allocates `partyId` where it does not exist; it must be in this node's namespace. */
  readonly createPartyIfMissing?: boolean
}

export type Onboarded =
  | { readonly ok: true; readonly partyId: string }
  /**
   * `invalid`: never possible like that; `unknown-party`: see `createPartyIfMissing`;
   * `other-party`: the user has one already; `other-user`: the name is a user's of another
   * provider; `busy`: others change the user all the time.
   */
  | {
      readonly ok: false
      readonly kind: 'invalid' | 'unknown-party' | 'other-party' | 'other-user' | 'busy'
      readonly message: string
    }

type NotOnboarded = Exclude<Onboarded, { readonly ok: true }>

type Offboarded = 'offboarded' | 'unknown' | 'operator'

export interface Onboarding {
  /** Every rule of docs/authority.md W1 to W5. */
  onboardUser(request: OnboardRequest): Promise<Onboarded>
  /**
   * Coins stay with the party. `unknown`: no such wallet; `operator`: the validator's own, which
   * stays.
   */
  offboardUser(name: string): Promise<Offboarded>
}

/** Onboarding for handlers and for the development network's seed. */
export function createOnboarding(economy: Economy, users: UserKeeper): Onboarding {
  return {
    onboardUser: (request) => onboard(economy, users, request),
    offboardUser: (name) => offboard(economy, users, name),
  }
}

/**
 * The installations on this validator that bear a name. Of the same name there may be any number
 * that others signed: then those of this validator are gone through, which nobody else makes.
 */
async function installsOf(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  endUserName: string,
): Promise<readonly Contract<WalletAppInstall>[]> {
  const named = await reader.active(walletAppInstall, { endUserName }, { limit: MANY_INSTALLS })
  const isAll = named.length < MANY_INSTALLS
  const installs = isAll ? named : await reader.all(walletAppInstall, { validatorParty: operator })
  return installs.filter(
    ({ payload }) => payload.validatorParty === operator && payload.endUserName === endUserName,
  )
}

async function onboard(
  economy: Economy,
  users: UserKeeper,
  request: OnboardRequest,
): Promise<Onboarded> {
  const { name, identityProviderId, partyId } = request
  const problem =
    userIdProblem(name) ??
    (partyId === undefined ? undefined : partyProblem(partyId)) ??
    (identityProviderId === '' ? undefined : ledgerStringProblem(identityProviderId))
  if (problem !== undefined) return refused('invalid', problem)
  const party = await linkedParty(economy, users, request)
  if (typeof party !== 'string') return party
  return (await ensureWallet(economy, name, party)) ? { ok: true, partyId: party } : busy(name)
}

/** The party of the user's wallet, which is opened where there is none. */
async function linkedParty(
  economy: Economy,
  users: UserKeeper,
  request: OnboardRequest,
): Promise<string | NotOnboarded> {
  const { name, identityProviderId, partyId } = request
  const deadline = performance.now() + PATIENCE_MS
  for (let losses = 0; performance.now() < deadline; losses += 1) {
    const [user, own] = await Promise.all([
      economy.store.users.get(name),
      economy.store.wallets.party(name),
    ])
    if (user !== undefined && user.identityProviderId !== identityProviderId) return otherUser(name)
    if (user !== undefined && own !== undefined)
      return partyId === undefined || partyId === own ? own : otherParty(name, own)
    const choice = await chooseParty(economy, { ...request, isRetry: losses > 0 }, user)
    if ('kind' in choice) return choice
    const opened = await users.openWallet({
      userId: name,
      identityProviderId,
      createsUser: true,
      ...choice,
    })
    const done = openedParty(opened, choice, request)
    if (done !== undefined) return done
    await pauseAfterLoss(losses + 1)
  }
  return busy(name)
}

/** Undefined where it is to be tried again: what was read has changed since. */
function openedParty(
  opened: WalletOpened,
  { party }: Choice,
  { name, identityProviderId, partyId }: OnboardRequest,
): string | NotOnboarded | undefined {
  switch (opened) {
    case 'opened':
      return 'fresh' in party ? party.fresh.party : party.given
    case 'too-many':
      return refused('invalid', `the user ${name} would have too many rights`)
    case 'unknown-provider':
      return refused('invalid', `the identity provider ${identityProviderId} is not known`)
    case 'party-unfit':
      return unfit('given' in party ? party.given : '')
    case 'party-taken':
      return partyId === undefined
        ? undefined
        : refused('other-party', `others have rights on the party ${partyId}`)
    default:
      return undefined
  }
}

interface Choice extends Pick<WalletOpening, 'party' | 'grantsActAs'> {}

async function chooseParty(
  economy: Economy,
  request: OnboardRequest & { readonly isRetry: boolean },
  user: UserRecord | undefined,
): Promise<Choice | NotOnboarded> {
  const { partyId } = request
  if (partyId !== undefined) return namedParty(economy, request, partyId)
  if (user !== undefined && (await ownsPrimaryParty(economy, user)))
    return { party: { given: user.primaryParty }, grantsActAs: false }
  return {
    party: { fresh: newParty(freeName(economy, request)) },
    grantsActAs: true,
  }
}

async function namedParty(
  { store, node: { namespace }, parties: { dso, sv } }: Pick<Economy, 'node' | 'parties' | 'store'>,
  { createPartyIfMissing = false }: OnboardRequest,
  partyId: string,
): Promise<Choice | NotOnboarded> {
  const [known] = await store.parties.get([partyId])
  if (known !== undefined)
    return fitsWallet(known) ? { party: { given: partyId }, grantsActAs: true } : unfit(partyId)
  if (!createPartyIfMissing) return refused('unknown-party', `party ${partyId} is not known here`)
  const isOurs =
    partyId.endsWith(`::${namespace}`) &&
    partyId.indexOf('::') > 0 &&
    partyId !== dso &&
    partyId !== sv
  return isOurs
    ? { party: { fresh: newParty(partyId) }, grantsActAs: true }
    : refused('invalid', `party ${partyId} is not in this node's namespace ${namespace}`)
}

/**
 * What a participant admin gave: nobody else writes users of the default provider.
 * docs/authority.md W2
 */
async function ownsPrimaryParty(
  { store }: Pick<Economy, 'store'>,
  { id, primaryParty, identityProviderId }: UserRecord,
): Promise<boolean> {
  if (primaryParty === '' || identityProviderId !== '') return false
  const [[party], rights = []] = await Promise.all([
    store.parties.get([primaryParty]),
    store.users.rights(id),
  ])
  return (
    party !== undefined &&
    fitsWallet(party) &&
    rights.some((right) => right.kind === 'CanActAs' && right.party === primaryParty)
  )
}

/**
 * An id named after the user; where the opening says that somebody has it, or that a right names
 * it, one that nobody has.
 */
function freeName(
  {
    node: { namespace },
    parties: { dso, sv },
    newName,
  }: Pick<Economy, 'newName' | 'node' | 'parties'>,
  { name, identityProviderId, isRetry }: OnboardRequest & { readonly isRetry: boolean },
): string {
  const hint = partyHint(name, identityProviderId)
  const party = uniqueIdentifier(hint, namespace)
  const isFree = !isRetry && party !== dso && party !== sv
  return isFree ? party : uniqueIdentifier(`${hint}-${newName()}`, namespace)
}

function newParty(party: string) {
  return { party, isLocal: true, identityProviderId: '', annotations: {}, topology: '' }
}

function refused(kind: NotOnboarded['kind'], message: string): NotOnboarded {
  return { ok: false, kind, message }
}

function busy(name: string): NotOnboarded {
  return refused('busy', `others change the user ${name} at the same time; ask again`)
}

function otherUser(name: string): NotOnboarded {
  return refused('other-user', `the user ${name} belongs to another identity provider`)
}

function otherParty(name: string, party: string): NotOnboarded {
  return refused('other-party', `user ${name} has the party ${party} already`)
}

function unfit(party: string): NotOnboarded {
  return refused(
    'invalid',
    `party ${party} has keys of its own or belongs to an identity provider, so that it can be nobody's wallet`,
  )
}

/** False where others are at it all the time. */
async function ensureWallet(
  economy: Pick<Economy, 'engine' | 'parties' | 'reader' | 'settings'>,
  name: string,
  party: string,
): Promise<boolean> {
  let commandId = `wallet/${name}/${party}`
  const deadline = performance.now() + PATIENCE_MS
  for (let losses = 1; performance.now() < deadline; losses += 1) {
    const [installs, right] = await Promise.all([
      installsOf(economy, name),
      rightOf(economy, party),
    ])
    const left = installs.filter(({ payload }) => payload.endUserParty !== party)
    const hasInstall = left.length < installs.length
    if (hasInstall && left.length === 0 && right !== undefined) return true
    const outcome = await economy.engine.submit({
      ...networkSubmission({
        actAs: [
          ...new Set([
            party,
            economy.parties.operator,
            ...left.map(({ payload }) => payload.endUserParty),
          ]),
        ],
        commandId,
        run: (tx) => {
          // Of an earlier user of the name, who was deleted: nobody's any more.
          for (const { id } of left) tx.archive(walletAppInstall, id)
          makeWallet(tx, economy, { name, party, hasInstall, hasRight: right !== undefined })
        },
      }),
      deduplicationMicros: ONCE_MICROS,
    })
    if (outcome.ok) return true
    // A moment ago the wallet was made and taken away again; the offset names the next command, for
    // whoever else is at it too.
    if (outcome.kind === 'duplicate') commandId = `wallet/${name}/${party}/${outcome.offset}`
    else if (isPassing(outcome)) await pauseAfterLoss(losses)
    else throw new SubmissionRejected(`onboarding ${name}: ${rejectionError(outcome).message}`)
  }
  return false
}

interface Missing {
  readonly name: string
  readonly party: string
  readonly hasInstall: boolean
  readonly hasRight: boolean
}

function makeWallet(
  tx: Tx,
  { parties: { dso, operator }, settings: { validator } }: Pick<Economy, 'parties' | 'settings'>,
  missing: Missing,
): void {
  const { name, party, hasInstall, hasRight } = missing
  if (!hasRight) tx.create(validatorRight, { dso, user: party, validator: operator })
  if (hasInstall) return
  const install = tx.create(walletAppInstall, {
    dsoParty: dso,
    validatorParty: operator,
    endUserName: name,
    endUserParty: party,
  })
  if (!validator.proposeMergeDelegation || party === operator) return
  tx.exercise(installChoices.WalletAppInstall_MergeDelegationProposal_Create, install, {
    operator,
    meta: NO_METADATA,
  })
}

async function rightOf(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  party: string,
) {
  const rights = await reader.active(validatorRight, { user: party })
  return rights.find(({ payload }) => payload.validator === operator)
}

/**
 * Access ends first; what is left of the wallet then is nobody's, and goes now or at the next call.
 */
async function offboard(economy: Economy, users: UserKeeper, name: string): Promise<Offboarded> {
  const { validatorWalletUser } = economy.settings.validator
  if (name === validatorWalletUser) return 'operator'
  const [installs, own] = await Promise.all([
    installsOf(economy, name),
    economy.store.wallets.party(name),
  ])
  if (installs.length === 0 && own === undefined) return 'unknown'
  if (own !== undefined) await users.remove(name)
  for (const install of installs) await removeWallet(economy, install)
  return 'offboarded'
}

async function removeWallet(
  economy: Pick<Economy, 'engine' | 'parties' | 'reader'>,
  { id, payload }: Contract<WalletAppInstall>,
): Promise<void> {
  const { operator } = economy.parties
  const { endUserParty: party } = payload
  const installs = await economy.reader.active(walletAppInstall, { endUserParty: party })
  const right = installs.length > 1 ? undefined : await rightOf(economy, party)
  await submitForNetwork(economy, {
    actAs: [party, operator],
    run: (tx) => {
      tx.archive(walletAppInstall, id)
      if (right !== undefined) tx.exercise(validatorRightArchiveAsValidator, right.id, {})
    },
  })
}
