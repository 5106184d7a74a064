// What operations of a wallet have in common: the caller's wallet, lists of contracts, and acts on
// one contract that the wallet's party has with others.
import type { ExtraArgs, WalletAppInstall } from '../../../../generated/contracts.gen.ts'
import type { ContractIdInput } from '../../../../generated/validator/types.gen.ts'
import { NO_METADATA } from '../../../contracts/index.ts'
import type { Choice, Contract, Template, TemplateKey, Tx } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { isKnown } from '../../../economy/hosting.ts'
import {
  answer,
  badRequest,
  notFound,
  PlainError,
  rejectionError,
} from '../../../economy/errors.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import { verdictFor, walletOf } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { extraArgsOf } from '../../registry/index.ts'
import type { InstructionContext } from '../../registry/index.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { listed, underKeys } from '../lists.ts'
import { nextPage } from '../../pages.ts'
import type { NextPage } from '../../pages.ts'
import type { ListQuery, WireList } from '../lists.ts'

/** Contracts that a wallet may act on, and who may know of one. */
export interface Subject<T> {
  readonly template: Template<T>
  /** Name for people: `transfer`. */
  readonly what: string
  /** Parties that may know of it, by role; nobody else is told more than that there is none. */
  readonly parties: (payload: T) => Readonly<Record<string, string | readonly string[]>>
}

/** An act of a wallet on a contract. */
export interface Act<R> {
  /** Role of the party that may do it, as in `Subject.parties`. */
  readonly role: string
  /** Context that the token standard asks for. */
  readonly context?: (contractId: string) => Promise<InstructionContext<unknown> | PlainError>
  run(tx: Tx, extraArgs: ExtraArgs): R
}

/** An operation on the contract that its path names. */
export interface ById {
  readonly path: { readonly contract_id: ContractIdInput }
}

export interface Asked {
  readonly query: Omit<ListQuery, 'signal'>
}

type Scope = Pick<Economy, 'network'>
type Acting = Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas' | 'reader'>
type InstallChoice<A, R> = Choice<WalletAppInstall, A, R>

const NO_CONTEXT: ExtraArgs = { context: { values: new Map() }, meta: NO_METADATA }

/** Makes handlers of operations on the caller's wallet; who has none is answered before. */
export function walletScope(economy: Scope) {
  return <I, T, B>(
      run: (wallet: Wallet, input: I, context: Context) => Promise<T | PlainError>,
      body: (value: T) => B,
    ) =>
    async (input: I, context: Context) => {
      const wallet = await walletOf(economy, callerOf(context))
      return answer(wallet instanceof PlainError ? wallet : await run(wallet, input, context), body)
    }
}

/** Makes handlers of lists: the party's contracts under one of the keys, each once. */
export function walletLists(economy: Pick<Economy, 'network' | 'reader' | 'settings'>) {
  const inWallet = walletScope(economy)
  return <N extends string, T, W>(
    name: N,
    keys: readonly TemplateKey<T>[],
    show: (contract: Contract<T>) => W,
  ) =>
    inWallet(
      ({ party }, { query }: Asked, { signal }) =>
        listed(economy, underKeys(economy.reader, keys, party), show, { ...query, signal }),
      (list) => listBody(name, list),
    )
}

/** A list under the name that its operation has for it. */
export function listBody<N extends string, W>(
  name: N,
  list: WireList<W>,
): Readonly<Record<N, W[]>> & NextPage<bigint>
export function listBody(name: string, { contracts, ...more }: WireList<unknown>) {
  return { [name]: contracts, ...nextPage(more) }
}

/** Makes handlers of acts that take a contract's id alone, by choices of the installation. */
export function walletActs(economy: Acting) {
  const inWallet = walletScope(economy)
  const acting = <T, A, R, B>(
    subject: Subject<T>,
    act: Omit<Act<R>, 'run'> & { readonly choice: InstallChoice<A, R> },
    argument: (cid: string, extraArgs: ExtraArgs) => A,
    body: (result: R) => B,
  ) =>
    inWallet((wallet, { path }: ById) => {
      const cid = contractIdOf(path.contract_id)
      return actOn(economy, wallet, subject, cid, {
        ...act,
        run: (tx, extraArgs) =>
          tx.exercise(act.choice, wallet.install.id, argument(cid, extraArgs)),
      })
    }, body)
  return {
    acting,
    /** An act of that kind that has no answer. */
    ending: <T, R>(
      subject: Subject<T>,
      role: string,
      choice: InstallChoice<{ readonly cid: string }, R>,
    ) => acting(subject, { role, choice }, (cid) => ({ cid }), nothing),
  }
}

/** The body of an answer that says no more than that it was done. */
export function nothing(): undefined {
  return undefined
}

/** Does it for the wallet; 404 for strangers, 400 for who is on another side. */
export async function actOn<T, R>(
  economy: Acting,
  { party }: Wallet,
  subject: Subject<T>,
  cid: string,
  { role, context, run }: Act<R>,
): Promise<R | PlainError> {
  const contract = await contractFor(economy, party, subject, cid, role)
  if (contract instanceof PlainError) return contract
  const found = await context?.(cid)
  if (found instanceof PlainError) return found
  const extraArgs = found === undefined ? NO_CONTEXT : extraArgsOf(found.context)
  const disclosed = found?.context.disclosed.map(({ record }) => record) ?? []
  const done = await verdictFor(economy, party, { disclosed, run: (tx) => run(tx, extraArgs) })
  return done.ok ? done.result : rejectionError(done, cid)
}

/** The active contract of which the party has the role; 404 and 400 as `actOn`. */
export async function contractFor<T>(
  { reader }: Pick<Economy, 'reader'>,
  party: string,
  { template, what, parties }: Subject<T>,
  cid: string,
  role: string,
): Promise<Contract<T> | PlainError> {
  const contract = await reader.get(template, cid)
  const roles = contract && parties(contract.payload)
  if (
    contract === undefined ||
    !Object.values(roles ?? {})
      .flat()
      .includes(party)
  )
    return notFound(`No ${what} with contract id ${cid}`)
  return [roles?.[role]].flat().includes(party)
    ? contract
    : badRequest(`Only the ${role} of the ${what} may do this`)
}

/** 400 where nobody knows one of the parties. */
export async function strangerProblem(
  economy: Parameters<typeof isKnown>[0],
  ...parties: readonly string[]
): Promise<PlainError | undefined> {
  for (const party of parties)
    if (!(await isKnown(economy, party))) return badRequest(`No party ${party} is known`)
  return undefined
}
