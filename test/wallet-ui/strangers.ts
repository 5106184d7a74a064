// Parties with keys of their own whom nobody here has onboarded, as those of other validators are:
// anybody can make one with any name, and send coin unasked.
import assert from 'node:assert/strict'
import { EXTERNAL, hosted, prepareAccept, propose, submissionOf } from '../external/kit.ts'
import type { Asked } from '../external/kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import type { NodeClient } from '../nodes/kit.ts'
import { letRead, paid } from '../nodes/outside-party.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { ask } from '../support/wallet-client.ts'
import { tokenOf } from './people.ts'
import type { Person } from './people.ts'

/** The user that submits what strangers sign. */
const READER = 'reader'
let payments = 0

export interface Strangers {
  readonly node: NodeClient
  /** Somebody new of that name. */
  stranger(hint: string): Promise<OutsideParty>
  /** The same, whom one can pay in one step. */
  preapproved(hint: string): Promise<OutsideParty>
  /** Pays a preapproved stranger. */
  pay(from: Person, to: OutsideParty, amount: string): Promise<void>
  /** The stranger sends from what it was paid; to be accepted, unless the receiver preapproves. */
  send(from: OutsideParty, to: Person, amount: string): Promise<void>
}

/** Strangers to the people of the service at an address, in the development profile. */
export async function strangersTo(url: string): Promise<Strangers> {
  const node = clientOf(url)
  await node.done('participant_admin', 'POST /v2/users', { user: { id: READER }, rights: [] })
  const asked: Asked = {
    done: (user, line, body) => node.done(user, line.replace(' ', ' /api/validator'), body),
  }
  const stranger: Strangers['stranger'] = async (hint) => {
    const { party, holder } = await hosted(asked, hint)
    await letRead(node, party)
    return { party, holders: [holder] }
  }
  return {
    node,
    stranger,
    preapproved: async (hint) => {
      const made = await stranger(hint)
      await preapprove(asked, made)
      await eventuallyHolds('the stranger has a preapproval', async () => {
        const at = `/api/scan/v0/transfer-preapprovals/by-party/${made.party}`
        return (await call(url, `GET ${at}`)).status === 200
      })
      return made
    },
    pay: async (from, { party }, amount) => {
      payments += 1
      const body = { receiver_party_id: party, amount, deduplication_id: `to-stranger-${payments}` }
      const answer = await ask(url, from, 'POST /transfer-preapproval/send', body)
      assert.equal(answer.status, 200, answer.text)
    },
    send: async (from, to, amount) => {
      const answer = await paid(node, from, { to: to.party, amount })
      assert.equal(answer.status, 200, answer.text)
    },
  }
}

async function preapprove(asked: Asked, { party, holders: [holder] }: OutsideParty): Promise<void> {
  assert.ok(holder !== undefined)
  const external = { party, holder }
  const prepared = await prepareAccept(asked, external, await propose(asked, external))
  const accepted = submissionOf(external, prepared)
  await asked.done('operator', `POST ${EXTERNAL}/setup-proposal/submit-accept`, accepted)
}

function clientOf(url: string): NodeClient {
  const tokens = new Map<string, Promise<string>>()
  const askAs: NodeClient['ask'] = async (user, line, body) => {
    const token = tokens.get(user) ?? tokenOf(url, user)
    tokens.set(user, token)
    return call(url, line, { token: await token, ...(body === undefined ? {} : { body }) })
  }
  return {
    name: 'own',
    ask: askAs,
    done: async (user, line, body) => {
      const answer = await askAs(user, line, body)
      assert.equal(answer.status, 200, `${line}: ${answer.text}`)
      return answer.json
    },
  }
}
