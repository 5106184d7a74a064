// Proposals of minting delegations, made as their beneficiaries make them: parties whose keys are
// outside sign what was prepared.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { hosted } from '../external/kit.ts'
import type { External } from '../external/kit.ts'
import { signaturesOf } from '../interfaces/ledger-kit.ts'
import { call } from '../support/http.ts'
import { tokenOf as readToken } from './people.ts'

const PROPOSAL = '#network-wallet:Network.Wallet.MintingDelegation:MintingDelegationProposal'
const DAY_MS = 86_400_000

export interface Terms {
  readonly delegate: string
  readonly mergeLimit: number
  /** Days from now. */
  readonly days: number
}

export interface Proposers {
  /** A call as a user; the JSON of a 200. */
  done(user: string, line: string, body?: unknown): Promise<unknown>
  /** A party with a key of its own, hosted here. */
  external(hint: string): Promise<External>
  /**
   * In the name of a party with a key of its own; of several proposals of one party only the newest
   * is kept.
   */
  propose(beneficiary: External, terms: Terms): Promise<void>
}

/** Proposals on the service at an address, in the development profile. */
export function proposersOf(url: string): Proposers {
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (user: string): Promise<string> => {
    const token = tokens.get(user) ?? readToken(url, user)
    tokens.set(user, token)
    return token
  }
  const done: Proposers['done'] = async (user, line, body) => {
    const path =
      line.includes(' /v2/') || line.includes(' /api/')
        ? line
        : line.replace(' ', ' /api/validator')
    const answer = await call(url, path, {
      token: await tokenOf(user),
      ...(body === undefined ? {} : { body }),
    })
    assert.equal(answer.status, 200, `${line}: ${answer.text}`)
    return answer.json
  }
  const create = async (
    beneficiary: string,
    { delegate, mergeLimit, days }: Terms,
  ): Promise<object> => {
    const dso = String(
      member(await done('operator', 'GET /api/scan/v0/dso-party-id'), 'dso_party_id'),
    )
    const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString()
    const delegation = { beneficiary, delegate, dso, expiresAt, coinMergeLimit: String(mergeLimit) }
    const command = { CreateCommand: { templateId: PROPOSAL, createArguments: { delegation } } }
    return { commandId: crypto.randomUUID(), actAs: [beneficiary], commands: [command] }
  }
  return {
    done,
    external: async (hint) => {
      const external = await hosted({ done }, hint)
      const rights = [{ kind: { CanExecuteAs: { value: { party: external.party } } } }]
      await done('participant_admin', 'POST /v2/users/operator/rights', {
        userId: 'operator',
        rights,
      })
      return external
    },
    propose: async ({ party, holder }, terms) => {
      const prepared = await done(
        'operator',
        'POST /v2/interactive-submission/prepare',
        await create(party, terms),
      )
      const hash = String(member(prepared, 'preparedTransactionHash'))
      await done('operator', 'POST /v2/interactive-submission/executeAndWait', {
        preparedTransaction: member(prepared, 'preparedTransaction'),
        hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
        submissionId: crypto.randomUUID(),
        partySignatures: {
          signatures: [signaturesOf({ party, holders: [holder] }, hash, [holder])],
        },
      })
    },
  }
}
