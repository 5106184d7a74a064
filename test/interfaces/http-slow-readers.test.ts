// Clients that ask for much and read nothing: they fill no more than their share of the memory, and
// are cut in the end. On real sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { HttpOptions } from '../../runtime/http/index.ts'
import { eventually } from '../support/eventually.ts'
import { operation, raw, serveWire, wire } from './http-fixture.ts'
import type { Running } from './http-fixture.ts'

/** More than the system takes of an answer that nobody reads. */
const LARGE = { items: Array.from({ length: 80 }, () => 'x'.repeat(100_000)) }
const LARGE_BYTES = JSON.stringify(LARGE).length

interface Service extends Running {
  /** Requests for the large answer that the handler has seen. */
  readonly asked: () => number
}

async function start(limits: HttpOptions<string>['limits']): Promise<Service> {
  let asked = 0
  const large = () => {
    asked += 1
    return { status: 200, body: LARGE }
  }
  const handlers = { 'GET /large': large, 'GET /small': () => ({ status: 200, body: {} }) }
  const server = await serveWire(
    wire([operation('GET', '/large'), operation('GET', '/small')]),
    handlers,
    { limits: { ...limits } },
  )
  return Object.assign(server, { asked: () => asked })
}

/** Asks for the large answer and reads nothing of it. */
async function leaveUnread(
  { port }: Running,
  localAddress = '127.0.0.1',
  times = 1,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined).pause()
  await once(socket, 'connect')
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times))
  return socket
}

function answered({ log }: Running): number {
  return log.lines.filter(({ message }) => message === 'request').length
}

/** Status and length of the answer to somebody who reads. */
async function read(
  { port }: Running,
  path = '/large',
  localAddress = '127.0.0.1',
): Promise<readonly [status: number, length: number]> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString('latin1')
  return [Number(text.slice(9, 12)), text.length - text.indexOf('\r\n\r\n') - 4]
}

/** True where the server has cut the connection before all of the answer was read. */
async function isCut(socket: Socket): Promise<boolean> {
  let length = 0
  socket
    .on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    .resume()
  await once(socket, 'close')
  return length < LARGE_BYTES
}

test('an address that leaves answers unread is refused more of them before they are made, and nobody else is', async () => {
  await using server = await start({
    held: { unread: { all: 5 * LARGE_BYTES, each: 2 * LARGE_BYTES } },
  })
  const unread = [await leaveUnread(server), await leaveUnread(server)]
  await eventually(2, () => answered(server))
  const refused = await raw(server.port, [
    'GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  ])
  assert.match(
    refused,
    /^HTTP\/1\.1 429 [^]*Retry-After: 1\r\n[^]*Answers that the caller has not read hold more than \d+ bytes/,
  )
  assert.equal(server.asked(), 2)
  assert.deepEqual(await read(server, '/small'), [200, 2])
  assert.deepEqual(await read(server, '/large', '127.0.0.2'), [200, LARGE_BYTES])
  for (const socket of unread) socket.destroy()
  await eventually([200, LARGE_BYTES], () => read(server))
})

test('where the memory for all is used up, the oldest answer of the address that holds most is cut', async () => {
  await using server = await start({
    held: { unread: { all: 3 * LARGE_BYTES, each: 3 * LARGE_BYTES } },
  })
  const unread: Socket[] = []
  for (let count = 1; count <= 3; count += 1) {
    unread.push(await leaveUnread(server))
    await eventually(count, () => answered(server))
  }
  assert.deepEqual(await read(server, '/large', '127.0.0.2'), [200, LARGE_BYTES])
  const [oldest, ...others] = unread
  assert.ok(oldest !== undefined && (await isCut(oldest)))
  for (const socket of others) socket.destroy()
})

test('answers behind an unread one on the same connection count, and are given back with it', async () => {
  await using server = await start({
    held: { unread: { all: 8 * LARGE_BYTES, each: 2 * LARGE_BYTES } },
  })
  const socket = await leaveUnread(server, '127.0.0.1', 2)
  await eventually(2, () => answered(server))
  assert.equal((await read(server))[0], 429)
  socket.destroy()
  await eventually([200, LARGE_BYTES], () => read(server))
})

test('a client that reads nothing for a time is cut; one that reads slowly, or asks again later, is not', async () => {
  await using server = await start({
    slowReaderMs: 1_000,
    held: { unread: { all: 8 * LARGE_BYTES, each: LARGE_BYTES } },
  })
  const beCut = async (): Promise<void> => {
    const lazy = await leaveUnread(server, '127.0.0.2')
    await eventually([200, LARGE_BYTES], () => read(server, '/large', '127.0.0.2'))
    assert.equal(await isCut(lazy), true)
  }
  const slow = await leaveUnread(server)
  let length = 0
  slow
    .on('data', (chunk: Buffer) => {
      length += chunk.length
      slow.pause()
      setTimeout(() => slow.resume(), 5)
    })
    .resume()
  await beCut()
  await eventually(true, () => length > LARGE_BYTES)
  // As long again, with nothing to read.
  await beCut()
  const before = length
  slow.write('GET /small HTTP/1.1\r\nHost: a\r\n\r\n')
  await eventually(true, () => length > before)
  slow.destroy()
})

test('nothing large is made for who has not read the large answer before, while others get theirs', async () => {
  await using server = await start({ fair: { shareMs: 60_000 } })
  assert.deepEqual(await read(server), [200, LARGE_BYTES])
  const unread = [await leaveUnread(server), await leaveUnread(server)]
  await eventually(2, () => answered(server))
  assert.deepEqual(await read(server, '/large', '127.0.0.2'), [200, LARGE_BYTES])
  assert.equal(server.asked(), 3)
  for (const socket of unread) socket.destroy()
  await eventually([200, LARGE_BYTES], () => read(server))
})
