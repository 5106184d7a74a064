// Several nodes in one configuration: what each runs with, and what is wrong with their sections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { allProblems } from '../../runtime/cli/config-commands.ts'
import { ofLedger, ofNode } from '../../runtime/cli/ledger-host.ts'
import { loadConfiguration } from '../../runtime/host/config/configuration.ts'
import type { Configuration } from '../../runtime/host/config/configuration.ts'
import { nodesOf } from '../../runtime/host/config/nodes.ts'
import type { PluginEntry } from '../../runtime/host/host.ts'
import { formatProblem } from '../../runtime/host/problem.ts'
import { definePlugin } from '../../runtime/index.ts'
import { tempDir } from '../support/temp-dir.ts'
import { HandScheduler, hostWith, none, schedulerEntry } from './fixtures/host-kit.ts'

async function load(values: object) {
  const { path, remove } = await tempDir()
  const flags = [{ origin: 'flag --config', values }]
  return loadConfiguration({ folder: path, env: {}, flags }).finally(remove)
}

async function good(values: object): Promise<Configuration> {
  const read = await load(values)
  assert.ok(read.ok, read.ok ? '' : read.problems.map(formatProblem).join('\n'))
  return read.config
}

async function wrong(values: object): Promise<readonly string[]> {
  const read = await load(values)
  return read.ok ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`)
}

test('a node has what its section says, and else what stands outside of all sections', async () => {
  const config = await good({
    server: { port: 9000, drainMs: 7 },
    data: '/srv/data',
    validator: { pollMs: 100 },
    nodes: { a: {}, b: { server: { port: 9100 }, validator: { validatorWalletUser: 'boss' } } },
  })
  const [a, b] = nodesOf(config)
  assert.ok(a !== undefined && b !== undefined)
  assert.deepEqual([a.name, b.name], ['a', 'b'])
  assert.deepEqual([a.config.values.server.port, b.config.values.server.port], [9000, 9100])
  assert.equal(b.config.values.server.drainMs, 7)
  assert.deepEqual(b.config.values.validator, { pollMs: 100, validatorWalletUser: 'boss' })
  assert.deepEqual(a.config.values.ledger, { participantId: 'a' })
  assert.equal(b.config.values.data, '/srv/data/nodes/b')
})

test('without nodes there is one, as it was', async () => {
  const config = await good({})
  assert.deepEqual(nodesOf(config), [])
  assert.equal(config.values.server.port, 8080)
})

test('problems of nodes say which', async () => {
  assert.deepEqual(await wrong({ nodes: { a: { server: { port: -1 } } } }), [
    'nodes.a.server.port: Too small: expected number to be >=0',
  ])
  assert.deepEqual(await wrong({ nodes: { a: { storage: {} } } }), ['nodes.a.storage: unknown key'])
  assert.deepEqual(await wrong({ nodes: {} }), ['nodes: must name a node'])
  assert.match(String(await wrong({ nodes: { 'a%b': {} } })), /1 to 32 of a-z 0-9 and -/)
  const port = { server: { port: 9 } }
  assert.deepEqual(await wrong({ nodes: { a: port, b: port } }), [
    'nodes.b.server.port: the node "a" has the same address',
  ])
  const named = { ledger: { participantId: 'same' } }
  assert.deepEqual(await wrong({ nodes: { a: named, b: named } }), [
    'nodes.b.ledger.participantId: the node "a" has the same participant id, or namespace in it',
  ])
  const inNamespace = (name: string) => ({ ledger: { participantId: `${name}::1220ab` } })
  assert.deepEqual(await wrong({ nodes: { a: inNamespace('x'), b: inNamespace('y') } }), [
    'nodes.b.ledger.participantId: the node "a" has the same participant id, or namespace in it',
  ])
})

test('what plugins and services say to their sections is told of the node', async () => {
  const read = await load({
    nodes: { a: { auth: [{ use: 'jwt', issuerz: [] }] }, b: { ledger: { participantId: '%' } } },
  })
  const paths = (await allProblems(read)).map(({ path }) => path)
  assert.ok(paths.includes('nodes.a.auth[0].issuerz'), paths.join())
  assert.ok(paths.includes('nodes.b.ledger.participantId'), paths.join())
})

test('in production no two nodes take the same tokens, and none takes those of development', async () => {
  const production = { profile: 'production', storage: { use: 'sqlite' } }
  const jwt = [{ use: 'jwt' }]
  assert.deepEqual(await wrong({ ...production, auth: jwt, nodes: { a: {}, b: {} } }), [
    'nodes.b.auth: the node "a" has the same auth, so it would accept the same tokens',
  ])
  const open = { auth: [{ use: 'open' }] }
  assert.deepEqual(await wrong({ ...production, nodes: { a: open, b: { auth: jwt } } }), [
    'nodes.a.auth[0].use: the production profile refuses the development auth "open"',
  ])
})

test('localnet is a development network of three nodes', async () => {
  const config = await good({ profile: 'localnet', nodes: { user: { empty: true } } })
  assert.equal(config.values.profile, 'dev')
  const nodes = nodesOf(config).map(({ name, config: { values } }) => [
    name,
    values.server.port,
    values.server.alsoPorts,
    values.validator['validatorWalletUser'],
    values.empty,
  ])
  assert.deepEqual(nodes, [
    ['sv', 4975, [4000, 5003], 'ledger-api-user', false],
    ['provider', 3975, [3000], 'ledger-api-user', false],
    ['user', 2975, [2000], 'ledger-api-user', true],
  ])
})

test('every node is as well as the storage and the scheduler that they share', async () => {
  const unwell = { health: () => ({ status: 'down' as const, detail: 'out of order' }) }
  const storage: PluginEntry = {
    path: 'storage',
    plugin: definePlugin({
      kind: 'storage',
      name: 'own',
      options: none,
      setup: () => ({ store: createMemoryStore(), location: 'here', ...unwell }),
    }),
    options: {},
  }
  const scheduler = schedulerEntry(Object.assign(new HandScheduler(), unwell))
  const shared = await hostWith(ofLedger([storage, scheduler]))
  await shared.start()
  const node = await hostWith(ofNode(shared, { name: 'b', key: 'b', entries: [] }))
  await node.start()
  const { status, plugins } = await node.health()
  assert.equal(status, 'down')
  assert.deepEqual(
    plugins.map(({ detail }) => detail),
    ['out of order', 'out of order'],
  )
  await node.stop()
  await shared.stop()
})
