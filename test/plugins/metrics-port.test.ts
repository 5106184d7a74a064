// Metrics beside the interfaces, or on a port of their own that has nothing else.
// docs/operations.md
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, describe, it } from 'node:test'
import { call } from '../support/http.ts'
import { MAIN, run, SERVE_STUB, serveStub, tempFolder } from '../e2e/cli-kit.ts'
import type { Place, Serving } from '../e2e/cli-kit.ts'

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function at(metrics: object): Place {
  const folder = tempFolder({
    'ledgerwright.config.json': JSON.stringify({
      storage: { use: 'memory' },
      extensions: { metrics, docs: false },
    }),
  })
  folders.push(folder)
  return { cwd: folder.path }
}

/** The address in the banner. */
function addressIn(server: Serving): string {
  return (
    /^ {2}metrics {5}(http:\S+)$/m.exec(server.text().stdout)?.[1] ??
    assert.fail(server.text().stdout)
  )
}

describe('metrics', () => {
  it('stand at /metrics beside the interfaces when nothing is said', async () => {
    const server = await serveStub([], at({}))
    assert.equal(addressIn(server), `${server.origin}/metrics`)
    assert.equal((await call(server.origin, 'GET /metrics')).status, 200)
    await server.stop()
  })

  it('stand on a port of their own, on loopback, and only there, where the configuration names one', async () => {
    const server = await serveStub([], at({ port: 0 }))
    const address = addressIn(server)
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    const own = new URL(address).origin
    assert.notEqual(own, server.origin)
    assert.equal((await call(server.origin, 'GET /readyz')).status, 200)
    const found = await call(own, 'GET /metrics?x=1')
    assert.deepEqual([found.status, found.type], [200, 'text/plain; version=0.0.4; charset=utf-8'])
    assert.match(
      found.text,
      /^http_requests_total\{interface="stub",operation="getReadyz",status="200"\} 1$/m,
    )
    assert.equal((await call(own, 'HEAD /metrics')).status, 200)
    assert.equal((await call(server.origin, 'GET /metrics')).status, 404)
    for (const request of ['GET /readyz', 'GET /', 'GET /metrics/x', 'GET //metrics'])
      assert.equal((await call(own, request)).status, 404, request)
    const posted = await call(own, 'POST /metrics', { raw: 'x' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    assert.equal((await server.stop()).code, 0)
    await assert.rejects(call(own, 'GET /metrics'))
  })

  const hasSix = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1')
  it(
    'listen on the address that is named',
    { skip: hasSix ? false : 'this machine has no ::1' },
    async () => {
      const server = await serveStub([], at({ port: 0, host: '::1' }))
      const address = addressIn(server)
      assert.match(address, /^http:\/\/\[::1\]:\d+\/metrics$/)
      assert.equal((await fetch(address)).status, 200)
      await server.stop()
    },
  )

  it('say in one line why the service does not start', async () => {
    const server = await serveStub([], at({ port: 0 }))
    const port = Number(new URL(addressIn(server)).port)
    const second = await run(SERVE_STUB, ['--port', '0'], at({ port }))
    assert.deepEqual(
      [second.code, second.stderr],
      [
        1,
        `ledgerwright: plugin extension/metrics did not start: cannot listen on 127.0.0.1 port ${port}: it is in use\n`,
      ],
    )
    await server.stop()
    const checked = await run(MAIN, ['config', 'check'], at({ host: '0.0.0.0' }))
    assert.deepEqual(
      [
        checked.code,
        /^extensions\.metrics\.host: needs a port beside it, received "0\.0\.0\.0"/.test(
          checked.stderr,
        ),
      ],
      [2, true],
      checked.stderr,
    )
  })
})
