// Bob of bench/neighbour: `node neighbour-bob.ts FOLDER` pays somebody who takes payments without
// being asked, one payment at a time, and asks for `/livez` and his history beside it, from the
// message `start` to the message `stop`; then he says how long each took, milliseconds, in order of
// length. A payment that is refused counts until it is paid.
import { call } from '../test/support/http.ts'
import { readScene } from './neighbour-client.ts'

const PAUSE_MS = 10
/** Not paid until the end. */
const NEVER_MS = 1e9
const { url, bob, receiver } = readScene(process.argv[2] ?? '')
let isMeasuring = false
let ids = 0

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

async function pay(): Promise<number> {
  ids += 1
  const body = {
    receiver_party_id: receiver,
    amount: '0.01',
    deduplication_id: `bob-${process.pid}-${ids}`,
    description: 'bench',
  }
  const begun = performance.now()
  for (;;) {
    const { status } = await call(url, 'POST /api/validator/v0/wallet/transfer-preapproval/send', {
      token: bob.token,
      body,
    })
    if (status === 200) return performance.now() - begun
    if (!isMeasuring) return NEVER_MS
    await pause()
  }
}

async function live(): Promise<number> {
  const begun = performance.now()
  await call(url, 'GET /livez')
  return performance.now() - begun
}

async function history(): Promise<number> {
  const begun = performance.now()
  await call(url, 'POST /api/validator/v0/wallet/transactions', {
    token: bob.token,
    body: { page_size: 10 },
  })
  return performance.now() - begun
}

async function repeat(ask: () => Promise<number>): Promise<readonly number[]> {
  const taken: number[] = []
  while (isMeasuring) {
    taken.push(await ask())
    await pause()
  }
  return taken.toSorted((a, b) => a - b)
}

process.on('message', (message) => {
  isMeasuring = message === 'start'
  if (isMeasuring)
    void Promise.all([repeat(pay), repeat(live), repeat(history)]).then(
      ([payments, livez, pages]) => process.send?.({ payments, livez, history: pages }),
    )
})
process.send?.('ready')
