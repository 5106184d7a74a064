// Asks a server for /livez all the time, in a process of its own, and says how long the answers
// took. Every answer counts from when it was due to be asked for, so that a server that stands
// still is charged for all who would have come meanwhile.
import { connect, type Socket } from 'node:net'

const EVERY_MS = 2
const CONNECTIONS = 8
const REQUEST = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'

const port = Number(process.argv[2])
const idle: Socket[] = []
const due: number[] = []
let taken: number[] = []
let isMeasuring = false

function ask(socket: Socket, since: number): void {
  let text = ''
  const onData = (data: Buffer): void => {
    text += data.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    if (end === -1 || text.length < end + 4 + length) return
    socket.off('data', onData)
    taken.push(performance.now() - since)
    const next = due.shift()
    if (next === undefined) idle.push(socket)
    else ask(socket, next)
  }
  socket.on('data', onData)
  socket.write(REQUEST)
}

function tick(next: number): void {
  const now = performance.now()
  for (; next <= now; next += EVERY_MS) {
    if (!isMeasuring) continue
    const socket = idle.pop()
    if (socket === undefined) due.push(next)
    else ask(socket, next)
  }
  setTimeout(() => tick(next), 1)
}

function stop(): void {
  isMeasuring = false
  const wait = setInterval(() => {
    if (idle.length < CONNECTIONS || due.length > 0) return
    clearInterval(wait)
    process.send?.(taken.toSorted((a, b) => a - b))
  }, 1)
}

process.on('message', (message) => {
  if (message === 'stop') return stop()
  taken = []
  isMeasuring = true
})
for (let count = 0; count < CONNECTIONS; count += 1) {
  const socket = connect(port, '127.0.0.1', () => {
    if (idle.push(socket) === CONNECTIONS) process.send?.('ready')
  }).setNoDelay(true)
}
tick(performance.now())
