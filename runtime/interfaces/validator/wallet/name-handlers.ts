// Names of the caller: asked for here, paid by a subscription. docs/payments.md
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  CreateAnsEntryRequest,
  OwnAnsEntry,
} from '../../../../generated/validator/types.gen.ts'
import { installChoices } from '../../../contracts/index.ts'
import { formatDecimal } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { badRequest, conflict, rejectionError } from '../../../economy/errors.ts'
import type { PlainError } from '../../../economy/errors.ts'
import { entriesOf, entryNamed, entryProblem } from '../../../economy/names.ts'
import { textProblem } from '../../../economy/parse.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { timeText } from '../../../participant/time.ts'
import type { Context } from '../../reply.ts'
import { walletScope } from './operations.ts'

const SECOND_MICROS = 1_000_000n

/** Handlers of the caller's names. */
export function ownNameHandlers(economy: Economy) {
  const inWallet = walletScope(economy)
  return {
    createAnsEntry: inWallet(
      async (wallet, { body }) => request(economy, wallet, body),
      ({ entryCid, requestCid, ...texts }) => ({
        ...texts,
        entryContextCid: entryCid,
        subscriptionRequestCid: requestCid,
      }),
    ),
    listAnsEntries: inWallet(
      ({ party }) => own(economy, party),
      (entries) => ({ entries: [...entries] }),
    ),
  } satisfies Partial<Handlers<Context>>
}

async function request(
  economy: Economy,
  { party, install }: Wallet,
  { name, url, description }: CreateAnsEntryRequest,
): Promise<
  (CreateAnsEntryRequest & { readonly entryCid: string; readonly requestCid: string }) | PlainError
> {
  const problem = entryProblem(economy, { name, url })
  if (problem !== undefined) return badRequest(problem)
  const text = textProblem(name, url, description)
  if (text !== undefined) return text
  if ((await entryNamed(economy, name)) !== undefined) return conflict(`${name} is taken`)
  const rules = await economy.network.ansRules()
  const done = await verdictFor(economy, party, {
    disclosed: [rules.record],
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_AnsRules_RequestEntry, install.id, {
        ansRulesCid: rules.id,
        name,
        url,
        description,
      }),
  })
  return done.ok ? { name, url, description, ...done.result } : rejectionError(done)
}

/** The party's entries as they are paid now: the rules say what the next payment costs. */
async function own(economy: Economy, party: string): Promise<readonly OwnAnsEntry[]> {
  const { config } = (await economy.network.ansRules()).payload
  return (await entriesOf(economy, party)).flatMap(({ contractId, name, expiresAt }) =>
    contractId === undefined || expiresAt === undefined
      ? []
      : [
          {
            contractId,
            name,
            amount: formatDecimal(config.entryFee),
            unit: 'USDUnit',
            expiresAt: timeText(expiresAt),
            paymentInterval: `${config.entryLifetime / SECOND_MICROS}s`,
            paymentDuration: `${config.renewalDuration / SECOND_MICROS}s`,
          },
        ],
  )
}
