// A wallet with a long past: thousands of entries in its history and a thousand holdings, made
// through the public interface.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { ask, pay } from '../support/wallet-client.ts'
import { newPerson, tokenOf } from './people.ts'
import type { Person } from './people.ts'

const AUTOMATION = '/api/validator/v0/admin/automations/rewards'
const PARALLEL = 8

export interface BigWallet {
  readonly entries: number
  readonly holdings: number
}

/** Taps that one payment merges; it has a hundred inputs at most. */
const LOT = 90

/**
 * Taps `entries` times. What is beyond `holdings` goes into payments of next to nothing, each of
 * which merges a lot; the rewards automation, which would merge the rest, stays paused. `url`
 * is that of a seeded service of the development profile.
 */
export async function makeBigWallet(
  url: string,
  name: string,
  { entries, holdings }: BigWallet,
): Promise<Person> {
  const [operator, person, payee] = [
    await tokenOf(url, 'operator'),
    await newPerson(url, name),
    await newPerson(url, `${name}-payee`),
  ]
  await call(url, `POST ${AUTOMATION}/pause`, { token: operator })
  assert.equal((await ask(url, payee, 'POST /transfer-preapproval')).status, 200)
  const lots = Math.ceil((entries - holdings) / LOT)
  for (let lot = 0; lot < lots; lot += 1) {
    await tapOften(url, person, LOT)
    assert.deepEqual(
      await pay(url, {
        kind: 'send',
        from: person,
        to: payee,
        amount: '0.0000000001',
        id: `merge-${lot}`,
      }),
      { end: 'paid' },
    )
  }
  await tapOften(url, person, holdings)
  return person
}

/** Unlocked ones. */
export async function countHoldings(url: string, person: Person): Promise<number> {
  const coins = member((await ask(url, person, 'GET /coins')).json, 'coins')
  assert.ok(Array.isArray(coins))
  return coins.length
}

async function tapOften(url: string, person: Person, times: number): Promise<void> {
  let left = times
  const tapper = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { status, text } = await ask(url, person, 'POST /tap', {
        amount: `0.${String((left % 9_000) + 1).padStart(4, '0')}`,
      })
      assert.equal(status, 200, text)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, tapper))
}
