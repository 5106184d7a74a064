// The images and the compose file for real, where a container engine answers: what runs in them is
// called over HTTP, pays, and ends as it should. `npm run full:containers`
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { text } from 'node:stream/consumers'
import { member } from '../../runtime/host/member.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { ask, offerBody, pay, WALLET } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'
import {
  buildImages,
  compose,
  composeCommand,
  CONFORM_IMAGE,
  docker,
  IMAGE,
  outOfTime,
  removeImages,
  whyNot,
} from './engine.ts'

const MEGABYTE = 1_000_000
const OWN_LAYERS_LIMIT = 120 * MEGABYTE

/** Options of another user than the image names, on a root that is read only. */
const CLOSED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--tmpfs=/data:uid=4711,gid=4711,mode=700',
  '--user=4711:4711',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

const folder = mkdtempSync(join(tmpdir(), 'lw-containers-'))
const configuration = join(folder, 'trial.yaml')
writeFileSync(configuration, 'auth: [{ use: open, allowNonLoopback: true }]\n', { mode: 0o644 })

let built = false

/** A test, unless CI's time is over before it begins. */
function step(name: string, run: (t: TestContext) => void | Promise<void>): void {
  test(name, async (t) => {
    const why = built ? outOfTime() : 'the images were not built in time'
    if (why !== undefined) return t.skip(why)
    await run(t)
  })
}

describe('images', { skip: await whyNot() }, () => {
  before(async () => {
    built = await buildImages()
  })
  after(async () => {
    await removeImages()
    rmSync(folder, { recursive: true, force: true })
  })

  step('the image is small, says what it is, and runs as nobody in particular', async () => {
    const sizes = await docker(
      'history',
      '--human=false',
      '--format={{.Size}} {{.CreatedBy}}',
      IMAGE,
    )
    const lines = sizes.split('\n')
    const own = lines.slice(0, lines.findIndex((line) => line.includes('ARG VERSION')) + 1)
    assert.ok(own.length > 5)
    const bytes = own.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
    assert.ok(bytes < OWN_LAYERS_LIMIT, `${bytes / MEGABYTE} MB`)
    const [user, signal, title] = JSON.parse(
      await docker(
        'inspect',
        '--format=[{{json .Config.User}},{{json .Config.StopSignal}},{{json (index .Config.Labels "org.opencontainers.image.title")}}]',
        IMAGE,
      ),
    )
    assert.deepEqual([user, signal, title], ['1000:1000', 'SIGTERM', 'ledgerwright'])
  })

  step(
    'a container on a read-only root becomes healthy, pays, and drains on SIGTERM',
    async (t) => {
      const mount = `--volume=${configuration}:/etc/ledgerwright/ledgerwright.config.yaml:ro`
      const id = await docker(
        'run',
        '--detach',
        ...CLOSED,
        mount,
        '--publish=127.0.0.1::8080',
        IMAGE,
      )
      t.after(() => docker('rm', '--force', '--volumes', id))
      await eventually('healthy', () => docker('inspect', '--format={{.State.Health.Status}}', id))
      const url = await addressOf(id)
      const [alice, bob] = await users(id, url)
      const paid = await pay(url, { kind: 'offer', from: alice, to: bob, amount: '1', id: 'one' })
      assert.deepEqual(paid, { end: 'paid' })
      const { finish, answer } = halfAnOffer(url, alice, bob)
      const stopped = docker('stop', id)
      await eventuallyHolds('it takes no new requests', () => isClosed(url))
      finish()
      assert.equal(await answer, 200)
      await stopped
      assert.equal(await docker('inspect', '--format={{.State.ExitCode}}', id), '0')
    },
  )

  step('what is wrong with a configuration is one line and exit code 2', async () => {
    const run = docker('run', '--rm', IMAGE, 'serve', '--profile', 'production')
    await assert.rejects(run, /storage/u)
    await assert.rejects(run, { code: 2 })
  })

  step('`conform` in a container holds a server to its documents and writes JUnit', async (t) => {
    const mount = `--volume=${configuration}:/etc/ledgerwright/ledgerwright.config.yaml:ro`
    const server = await docker('run', '--detach', ...CLOSED, mount, IMAGE)
    t.after(() => docker('rm', '--force', '--volumes', server))
    await eventually('healthy', () =>
      docker('inspect', '--format={{.State.Health.Status}}', server),
    )
    const own = `--user=${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
    const run = ['run', '--rm', own, `--network=container:${server}`, `--volume=${folder}:/reports`]
    const spec = ['--spec', '/app/spec/registry.yaml']
    const args = [
      ...spec,
      '--url',
      'http://127.0.0.1:8080',
      '--only',
      'getRegistryInfo',
      '--runs',
      '5',
    ]
    await docker(...run, CONFORM_IMAGE, ...args, '--report', 'junit=conform.xml')
    assert.match(readFileSync(join(folder, 'conform.xml'), 'utf8'), /<testsuite/u)
    // Nothing listens there.
    const away = docker(
      ...run,
      CONFORM_IMAGE,
      ...spec,
      '--url',
      'http://127.0.0.1:1',
      '--runs',
      '1',
    )
    await assert.rejects(away, { code: 1 })
  })

  step('two servers of the compose file share a database and pay through both', async (t) => {
    const command = await composeCommand()
    if (command === undefined) return t.skip('no compose command on this machine')
    const project = `lw-test-${process.pid}`
    const env = {
      LEDGERWRIGHT_IMAGE: IMAGE,
      LEDGERWRIGHT_PORT: '0',
      LEDGERWRIGHT_PORT_2: '0',
      LEDGERWRIGHT_SECRETS: folder,
    }
    writeFileSync(join(folder, 'postgres-password'), 'for-a-test\n', { mode: 0o644 })
    const files = ['deploy/compose.yaml', 'test/deploy/stand-in.compose.yaml']
    const common = ['-p', project, ...files.flatMap((file) => ['-f', file]), '--profile', 'two']
    t.after(() => compose(command, [...common, 'down', '--volumes'], env))
    const startedMs = performance.now()
    await compose(command, [...common, 'up', '--detach', '--no-build'], env)
    const ids = await Promise.all(
      ['server-1', 'server-2'].map((name) => compose(command, [...common, 'ps', '-q', name], env)),
    )
    const [first = '', second = ''] = ids
    await eventually('healthy', () =>
      docker('inspect', '--format={{.State.Health.Status}}', second),
    )
    const urls = await Promise.all([first, second].map(addressOf))
    const [alice, bob] = await users(first, urls[0] ?? '')
    for (const [index, url] of urls.entries()) {
      const payment = {
        kind: 'offer',
        from: alice,
        to: bob,
        amount: '1',
        id: `by-${index}`,
      } as const
      assert.deepEqual(await pay(url, payment), { end: 'paid' })
      const tookMs = performance.now() - startedMs
      t.diagnostic(`${(tookMs / 1_000).toFixed(1)} s to the payment by server ${index + 1}`)
    }
    for (const url of urls) {
      const { json } = await ask(url, bob, 'GET /balance')
      assert.equal(member(json, 'effective_unlocked_qty'), '20002.0000000000')
    }
  })
})

async function addressOf(id: string): Promise<string> {
  const [address = ''] = (await docker('port', id, '8080')).split('\n')
  return `http://${address}`
}

/** The two people of the development network. */
async function users(id: string, url: string): Promise<readonly [WalletUser, WalletUser]> {
  const user = async (name: string): Promise<WalletUser> => {
    const token = await docker('exec', id, 'ledgerwright', 'token', '--user', name)
    const { json } = await call(url, `GET ${WALLET}/user-status`, { token })
    return { token, party: String(member(json, 'party_id')) }
  }
  return [await user('alice'), await user('bob')]
}

interface HalfRequest {
  /** Sends the rest. */
  finish(): void
  /** The status, once all is sent. */
  readonly answer: Promise<number | undefined>
}

/** An offer of which half is on its way. */
function halfAnOffer(url: string, from: WalletUser, to: WalletUser): HalfRequest {
  const body = JSON.stringify(offerBody({ kind: 'offer', from, to, amount: '1', id: 'late' }))
  const sent = request(`${url}${WALLET}/transfer-offers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${from.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  sent.write(body.slice(0, 20))
  const answer = new Promise<number | undefined>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      text(response).then(() => resolve(response.statusCode), reject)
    })
  })
  return { finish: () => void sent.end(body.slice(20)), answer }
}

async function isClosed(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status === 503
  } catch {
    return true
  }
}
