// A client process: makes the payments that it is told to, so many at a time, at one server or at
// several, and answers with what came of each.
import { pay } from './wallet-client.ts'
import type { Payment, PaymentEnd } from './wallet-client.ts'

export interface PayerTask {
  readonly url: string
  readonly lanes: number
  readonly payments: readonly Payment[]
}

export interface PayerResult {
  readonly ends: readonly { readonly id: string; readonly end: PaymentEnd }[]
}

function isTask(message: unknown): message is PayerTask {
  return typeof message === 'object' && message !== null && 'payments' in message
}

async function runAll(tasks: readonly PayerTask[]): Promise<PayerResult> {
  return { ends: (await Promise.all(tasks.map(run))).flatMap(({ ends }) => ends) }
}

async function run({ url, lanes, payments }: PayerTask): Promise<PayerResult> {
  const next = payments[Symbol.iterator]()
  const ends: { id: string; end: PaymentEnd }[] = []
  const lane = async (): Promise<void> => {
    for (const payment of next) ends.push({ id: payment.id, end: await pay(url, payment) })
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { ends }
}

process.on('message', (message: unknown) => {
  const tasks = Array.isArray(message) ? message : [message]
  if (tasks.every(isTask)) void runAll(tasks).then((result) => process.send?.(result))
})
