// A client process: creates users without pause, several requests in flight, and writes each
// acknowledged id to standard output. Ends when the service is gone, with a last line that tells
// how many requests were in flight then.
const [url = '', token = '', prefix = '', lanes = '8'] = process.argv.slice(2)
let inFlight = 0
let count = 0
let gone = false

async function lane(): Promise<void> {
  while (!gone) {
    const id = `${prefix}-${(count += 1)}`
    inFlight += 1
    const status = await create(id)
    if (status === undefined) gone = true
    else {
      inFlight -= 1
      if (status === 200) process.stdout.write(`${id}\n`)
    }
  }
}

async function create(id: string): Promise<number | undefined> {
  try {
    const body = JSON.stringify({
      user: { id, metadata: { annotations: { payload: 'x'.repeat(200) } } },
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/v2/users`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, lane))
process.stdout.write(`in-flight ${inFlight}\n`)
