// What a payment from one node to another costs beside one within a node: CPU time of the process,
// clients included, for payments over HTTP to parties with a preapproval, in turns.
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { member } from '../runtime/host/member.ts'
import { openNodes } from '../test/nodes/in-process.ts'
import type { LocalNode } from '../test/nodes/in-process.ts'
import { WALLET } from '../test/nodes/kit.ts'
import { aimLine, machineLine, median, shuffled, spread } from './measure.ts'

const { values } = parseArgs({
  options: { reps: { type: 'string', default: '9' }, count: { type: 'string', default: '200' } },
})
const repetitions = Number(values.reps)
const count = Number(values.count)

const WITHIN = 'within a node'
const ACROSS = 'to another node'

/** A party with a preapproval, which the operator of its node provides. */
async function receiverAt(node: LocalNode): Promise<string> {
  await node.done('operator', `POST ${WALLET}/tap`, { amount: '1000' })
  const registered = await node.done('receiver', 'POST /api/validator/v0/register', {})
  await node.done('receiver', `POST ${WALLET}/transfer-preapproval`)
  return String(member(registered, 'party_id'))
}

const nodes = await openNodes(['sv', 'provider', 'user'], {
  quotas: { paymentsPerSecond: 100_000, submissionsPerSecond: 100_000 },
})
try {
  const [, payer, other] = nodes.all
  assert.ok(payer !== undefined && other !== undefined)
  await payer.done('payer', 'POST /api/validator/v0/register', {})
  await payer.done('payer', `POST ${WALLET}/tap`, { amount: '1000' })
  const receivers = { [WITHIN]: await receiverAt(payer), [ACROSS]: await receiverAt(other) }
  let number = 0
  const pay = async (receiver: string): Promise<number> => {
    const before = process.cpuUsage()
    for (let sent = 0; sent < count; sent += 1)
      await payer.done('payer', `POST ${WALLET}/transfer-preapproval/send`, {
        receiver_party_id: receiver,
        amount: '0.01',
        deduplication_id: `payment-${number++}`,
        description: '',
      })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  }
  const costs = new Map<string, number[]>(Object.keys(receivers).map((name) => [name, []]))
  for (let repetition = 0; repetition <= repetitions; repetition += 1)
    for (const [name, receiver] of shuffled(Object.entries(receivers))) {
      const cost = await pay(receiver)
      if (repetition > 0) costs.get(name)?.push(cost)
    }
  console.log(`${machineLine()}, ${repetitions} repetitions of ${count} payments`)
  const micros = (name: string): readonly number[] => costs.get(name) ?? []
  for (const name of costs.keys())
    console.log(`  ${name.padEnd(18)} ${spread(micros(name))} us of CPU a payment`)
  const ratio = median(micros(ACROSS)) / median(micros(WITHIN))
  console.log(aimLine('across, of within', ratio, 'at most', 1.15, 'times'))
} finally {
  await nodes.close()
}
