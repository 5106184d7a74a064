// The configurations and the unit that `deploy/` brings, as the service and systemd read them.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { run, tempFolder } from '../e2e/cli-kit.ts'
import { ROOT } from '../support/service.ts'

const CONFIGURATIONS = globSync('deploy/{compose,kubernetes,systemd}/**/*.yaml', { cwd: ROOT })
  .filter((file) => /compose\/[\w-]+\.yaml$|ledgerwright\.config\.yaml$/u.test(file))
  .sort()

/** Where each way of running the service puts its secrets. */
const SECRETS =
  /\/run\/(?:secrets(?:\/ledgerwright)?|credentials\/ledgerwright\.service)\/(?=[\w-]+)/gu

const CHECK = join(ROOT, 'test', 'deploy', 'check-configs.ts')
const UNIT = 'deploy/systemd/ledgerwright.service'

test('the service accepts every configuration of deploy', async (t) => {
  assert.equal(CONFIGURATIONS.length, 5)
  const folder = tempFolder({
    'database-url': 'postgres://ledger:secret@127.0.0.1/ledger',
    'postgres-password': 'secret',
  })
  t.after(() => folder.remove())
  const copies = CONFIGURATIONS.map((file, index) => {
    const copy = join(folder.path, `${index}.yaml`)
    const text = readFileSync(join(ROOT, file), 'utf8')
    writeFileSync(copy, text.replaceAll(SECRETS, `${folder.path}/`))
    return copy
  })
  // As the image sets it: what listens beyond loopback has to be allowed to.
  const place = { cwd: folder.path, env: { HOST: '0.0.0.0' } }
  const { stdout, stderr } = await run(CHECK, copies, place)
  assert.equal(stderr, '')
  assert.equal(stdout, copies.map((file) => `configuration is good: ${file}\n`).join(''))
})

test('every server names its hosts, and those in production the name of their audience or proxy', () => {
  const proxied = /server_name (\S+);/u.exec(read('deploy/proxy/nginx.conf'))?.[1] ?? ''
  assert.match(read('deploy/proxy/haproxy.cfg'), new RegExp(`GET uri /readyz .* Host ${proxied}\n`))
  for (const file of CONFIGURATIONS) {
    const { profile, server, auth } = SHAPE.parse(parse(read(file)))
    const names = profile === 'dev' ? ['server-1'] : auth.flatMap(({ issuers }) => issuers ?? [])
    for (const name of names)
      assert.ok(
        server.hosts.includes(typeof name === 'string' ? name : new URL(name.audience).hostname),
        file,
      )
  }
})

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const SHAPE = z.looseObject({
  profile: z.string(),
  server: z.looseObject({ hosts: z.array(z.string()).min(1) }),
  auth: z.array(
    z.looseObject({ issuers: z.array(z.looseObject({ audience: z.string() })).optional() }),
  ),
})

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test(
  'systemd knows every line of the unit, and rates it as well kept in',
  { skip: systemd ? false : 'no systemd-analyze on this machine' },
  (t) => {
    const text = readFileSync(join(ROOT, UNIT), 'utf8')
    const folder = tempFolder({
      'ledgerwright.service': text.replaceAll('/usr/local/bin/ledgerwright', '/bin/true'),
    })
    t.after(() => folder.remove())
    const unit = join(folder.path, 'ledgerwright.service')
    const said = execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    assert.equal(said, '')
    const exposure = ['security', '--offline=true', '--threshold=20', unit]
    execFileSync('systemd-analyze', exposure, { stdio: 'ignore' })
  },
)
